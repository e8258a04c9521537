// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/backend/rules/file.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "ballast/doc/tree.hpp"
#include "ballast/ganeti/backend/json/number.hpp"
#include "ballast/ganeti/backend/simulate/size.hpp"

namespace ballast::ganeti {
namespace {

using doc::Tree;

struct KindWord {
  std::string_view word;
  RuleKind kind;
};
constexpr std::array kKinds{KindWord{"pin", RuleKind::Pin},
                            KindWord{"apart", RuleKind::Apart},
                            KindWord{"together", RuleKind::Together},
                            KindWord{"exclude-nodes", RuleKind::ExcludeNodes},
                            KindWord{"keep-instances", RuleKind::KeepInstances},
                            KindWord{"forbid-units", RuleKind::ForbidUnits},
                            KindWord{"reserve-memory", RuleKind::ReserveMemory}};

constexpr std::string_view kExpectedKinds =
    "pin, apart, together, exclude-nodes, keep-instances, forbid-units or reserve-memory";

bool is_about_instances(RuleKind kind) {
  return kind == RuleKind::Pin || kind == RuleKind::Apart || kind == RuleKind::Together;
}

/// One text, or a list of texts.
Result<std::vector<std::string>> texts_of(const Tree& node) {
  std::vector<std::string> texts;
  const auto add = [&](const Tree& one) -> Status {
    if (!one.is_scalar() || one.is_null() || one.text().empty())
      return fail(fmt::format("expected a text, not a {}", doc::to_string(one.kind())),
                  one.place());
    texts.push_back(one.text());
    return {};
  };
  if (!node.is_list()) {
    if (const Status added = add(node); !added) return fail(added.error());
    return texts;
  }
  for (const Tree& item : node.items()) {
    if (const Status added = add(item); !added) return fail(added.error());
  }
  return texts;
}

/// Reads one rule: a mapping with one word of a kind and words that go with it.
class RuleReader {
 public:
  RuleReader(const Tree& rule, std::size_t number) : rule_(rule), number_(number) {}

  Result<RuleSpec> read() {
    if (!rule_.is_map())
      return fail(fmt::format("rule {}: expected a mapping with {}", number_, kExpectedKinds),
                  rule_.place());
    spec_.must_match = true;
    spec_.name = fmt::format("rule {}", number_);
    if (const Status found = find_kind(); !found) return fail(found.error());
    for (const auto& [key, value] : rule_.entries()) {
      if (const Status read = read_entry(key, value); !read) return fail(read.error());
    }
    if (spec_.kind == RuleKind::Pin && spec_.tag_prefix.empty() && spec_.nodes.empty())
      return fail("a pin needs the nodes: to: [NODE, ...]", rule_.place());
    return std::move(spec_);
  }

 private:
  Status find_kind() {
    const Tree* found = nullptr;
    for (const KindWord& kind : kKinds) {
      const Tree* value = rule_.find(kind.word);
      if (value == nullptr) continue;
      if (found != nullptr) return fail("a rule of two kinds: write two rules", value->key_place());
      found = value;
      spec_.kind = kind.kind;
    }
    if (found == nullptr)
      return fail(fmt::format("rule {}: expected {}", number_, kExpectedKinds), rule_.place());
    return {};
  }

  Status read_entry(const std::string& key, const Tree& value) {
    for (const KindWord& kind : kKinds) {
      if (key == kind.word) return read_subject(value);
    }
    if (key == "name") return read_text(value, spec_.name);
    if (key == "group") return read_text(value, spec_.group);
    if (key == "price" && is_about_instances(spec_.kind)) return read_price(value);
    if (key == "per" && spec_.kind == RuleKind::Apart) return read_text(value, spec_.location);
    const bool takes_to = key == "to" && spec_.kind == RuleKind::Pin;
    const bool takes_on = key == "on" && (spec_.kind == RuleKind::ForbidUnits ||
                                          spec_.kind == RuleKind::ReserveMemory);
    if (takes_to || takes_on) return read_list(value, spec_.nodes);
    return fail(fmt::format("{} does not go with this rule", quoted(key)), value.key_place());
  }

  Status read_subject(const Tree& value) {
    if (is_about_instances(spec_.kind) && value.is_map()) return read_tag(value);
    switch (spec_.kind) {
      case RuleKind::ExcludeNodes:
        return read_list(value, spec_.nodes);
      case RuleKind::ForbidUnits:
        return read_units(value);
      case RuleKind::ReserveMemory:
        return read_memory(value);
      default:
        return read_list(value, spec_.instances);
    }
  }

  /// {tag: PREFIX}: each tag that begins with "PREFIX:" is a rule.
  Status read_tag(const Tree& value) {
    const Tree* tag = value.find("tag");
    if (tag == nullptr || value.entries().size() != 1)
      return fail("expected instances, or {tag: PREFIX}", value.place());
    std::string prefix;
    if (const Status read = read_text(*tag, prefix); !read) return read;
    spec_.tag_prefix = prefix + ":";
    return {};
  }

  Status read_units(const Tree& value) {
    Selection texts;
    if (const Status read = read_list(value, texts); !read) return read;
    for (const std::string& text : texts) {
      auto unit = parse_unit(text);
      if (!unit) return fail(unit.error().message, value.place());
      spec_.units.push_back(std::move(*unit));
    }
    return {};
  }

  Status read_memory(const Tree& value) {
    std::string text;
    if (const Status read = read_text(value, text); !read) return read;
    if (const Status read = parse_memory(text, spec_); !read)
      return fail(read.error().message, value.place());
    return {};
  }

  Status read_price(const Tree& value) {
    const auto price = value.as_double();
    if (!price || !std::isfinite(*price) || *price <= 0)
      return fail("price: expected a number above 0", value.place());
    spec_.price = *price;
    return {};
  }

  static Status read_list(const Tree& value, Selection& target) {
    auto texts = texts_of(value);
    if (!texts) return fail(texts.error());
    if (texts->empty()) return fail("expected at least one name", value.place());
    target = std::move(*texts);
    return {};
  }

  static Status read_text(const Tree& value, std::string& target) {
    if (!value.is_scalar() || value.is_null() || value.text().empty())
      return fail("expected a text", value.place());
    target = value.text();
    return {};
  }

  const Tree& rule_;
  std::size_t number_;
  RuleSpec spec_;
};

}  // namespace

Result<StorageKey> parse_unit(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos || slash == 0 || slash + 1 == text.size())
    return fail(fmt::format("{} is not TYPE/KEY", quoted(text)));
  return StorageKey{canonical_storage_type(text.substr(0, slash)),
                    std::string(text.substr(slash + 1))};
}

Status parse_memory(std::string_view text, RuleSpec& spec) {
  constexpr std::int64_t kMost = std::int64_t{1} << 50U;
  if (text.ends_with('%')) {
    const auto percent = parse_double("share", text.substr(0, text.size() - 1));
    if (percent && *percent >= 0 && *percent <= 100) {
      spec.memory_share = *percent / 100;
      return {};
    }
  } else if (const auto size = parse_size(text); size && *size >= 0 && *size <= kMost) {
    spec.memory_mib = *size;
    return {};
  }
  return fail(fmt::format("{}: expected a size such as 4096 (MiB) or 8g, or a share such as 10%",
                          quoted(text)));
}

Result<std::vector<RuleSpec>> read_rules(std::string_view text, const std::string& file) {
  const auto documents = doc::parse_documents(text, file);
  if (!documents) return fail(documents.error());
  std::vector<RuleSpec> specs;
  for (const Tree& document : *documents) {
    const Tree* rules = document.find("rules");
    if (rules == nullptr || document.entries().size() != 1 || !rules->is_list())
      return fail("expected \"rules:\" with a list of rules, and nothing beside it",
                  document.place());
    for (const Tree& rule : rules->items()) {
      auto spec = RuleReader(rule, specs.size() + 1).read();
      if (!spec) return fail(spec.error());
      specs.push_back(std::move(*spec));
    }
  }
  return specs;
}

}  // namespace ballast::ganeti
