// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/doc/edit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace ballast::doc {
namespace {

/// One step of a path. As written it also starts with the dot or bracket that set it apart.
struct PathPart {
  enum class Kind { Key, Index, Match };
  Kind kind = Kind::Key;
  std::string key;    ///< of a map, or to match
  std::string value;  ///< to match
  std::size_t index = 0;
  std::string path;  ///< the path up to and with this step, as written
};

using Path = std::vector<PathPart>;

/// Splits the path off an assignment, step by step.
class PathReader {
 public:
  explicit PathReader(std::string_view text) : text_(text) {}

  /// At success rest() is what stands behind the equals sign.
  Result<Path> read() {
    Path path;
    while (at_ < text_.size() && text_[at_] != '=') {
      const bool is_first = path.empty();
      if (text_[at_] == '[') {
        if (Status status = read_bracket(path); !status) return fail(status.error());
      } else {
        if (text_[at_] == '.' && !is_first) ++at_;
        PathPart step;
        step.key = read_until(".[=");
        if (step.key.empty())
          return fail(fmt::format("{}: expected a key at {}", quoted(text_), where()));
        path.push_back(std::move(step));
      }
      if (path.size() > kMaxNesting)
        return fail(fmt::format("{}: more than {} steps", quoted(text_), kMaxNesting));
      path.back().path = std::string(text_.substr(0, at_));
    }
    if (at_ == text_.size() || path.empty())
      return fail(fmt::format("{}: expected PATH=VALUE", quoted(text_)));
    return path;
  }

  [[nodiscard]] std::string_view rest() const { return text_.substr(at_ + 1); }

 private:
  [[nodiscard]] std::string where() const {
    return at_ < text_.size() ? quoted(text_.substr(at_)) : std::string("its end");
  }

  std::string read_until(std::string_view ends) {
    std::string result;
    for (; at_ < text_.size() && ends.find(text_[at_]) == std::string_view::npos; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      result += text_[at_];
    }
    return result;
  }

  Status read_bracket(Path& path) {
    const std::size_t start = at_++;
    PathPart step;
    step.key = read_until("=]");
    step.kind = PathPart::Kind::Index;
    if (at_ < text_.size() && text_[at_] == '=') {
      ++at_;
      step.kind = PathPart::Kind::Match;
      step.value = read_until("]");
    }
    const char* end = step.key.data() + step.key.size();
    const auto [stop, error] = std::from_chars(step.key.data(), end, step.index);
    const bool is_index = stop == end && error == std::errc{};
    const bool is_closed = at_ < text_.size() && text_[at_] == ']';
    if (!is_closed || step.key.empty() || (step.kind == PathPart::Kind::Index && !is_index)) {
      at_ = start;
      return fail(fmt::format("{}: expected [INDEX] or [KEY=VALUE] at {}", quoted(text_), where()));
    }
    ++at_;
    path.push_back(std::move(step));
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

void forget_places(Tree& node) {
  node.set_origin(nullptr, {});
  if (node.is_list()) std::ranges::for_each(node.items(), forget_places);
  if (!node.is_map()) return;
  for (auto& entry : node.entries()) forget_places(entry.second);
}

Result<Tree> read_value(std::string_view text) {
  auto documents = parse_yaml(text, "");
  if (!documents) return fail(fmt::format("value {}", documents.error().message));
  if (documents->empty()) return Tree();
  Tree value = std::move(documents->front());
  const std::size_t first = text.find_first_not_of(' ');
  const bool is_flow = text[first] == '{' || text[first] == '[';
  if (documents->size() > 1 || (!value.is_scalar() && !is_flow)) {
    return fail(fmt::format("value {}: expected a scalar, or a mapping or list in flow style",
                            quoted(text)));
  }
  forget_places(value);
  return value;
}

std::string place_in_path(std::string_view path) {
  return path.empty() ? "the document" : quoted(path);
}

Result<std::size_t> element_index(const Tree& list, const PathPart& step, std::string_view parent) {
  if (list.is_null())
    return fail(fmt::format("{} is not there: expected a list", place_in_path(parent)));
  if (!list.is_list()) {
    return fail(
        fmt::format("{} is {}: expected a list", place_in_path(parent), to_string(list.kind())));
  }
  const auto& items = list.items();
  if (step.kind == PathPart::Kind::Index) {
    if (step.index < items.size()) return step.index;
    return fail(fmt::format("{}: expected an element that exists, the list has {}",
                            quoted(step.path), items.size()));
  }
  const auto it = std::ranges::find_if(items, [&](const Tree& item) {
    const Tree* value = item.find(step.key);
    return value != nullptr && value->is_scalar() && !value->is_null() &&
           value->text() == step.value;
  });
  if (it != items.end()) return static_cast<std::size_t>(it - items.begin());
  return fail(fmt::format("{}: expected an element whose {} is {}", quoted(step.path), step.key,
                          quoted(step.value)));
}

/// `depth` steps have been walked; a value that is null removes.
Status assign(Tree& node, const Path& path, std::size_t depth, Tree value) {
  const PathPart& step = path[depth];
  const bool is_last = depth + 1 == path.size();
  const std::string_view parent = depth == 0 ? std::string_view() : path[depth - 1].path;
  if (step.kind != PathPart::Kind::Key) {
    const auto index = element_index(node, step, parent);
    if (!index) return fail(index.error());
    if (!is_last) return assign(node.items()[*index], path, depth + 1, std::move(value));
    if (value.is_null()) {
      node.items().erase(node.items().begin() + static_cast<std::ptrdiff_t>(*index));
    } else {
      node.items()[*index] = std::move(value);
    }
    return {};
  }
  if (node.is_null() && value.is_null()) return {};
  if (node.is_null()) {
    Tree fresh = Tree::map();
    Status status = assign(fresh, path, depth, std::move(value));
    if (status) node = std::move(fresh);
    return status;
  }
  if (!node.is_map()) {
    return fail(
        fmt::format("{} is {}: expected a mapping", place_in_path(parent), to_string(node.kind())));
  }
  if (is_last && value.is_null()) {
    node.erase(step.key);
    return {};
  }
  if (is_last) {
    node.set(step.key, std::move(value));
    return {};
  }
  if (Tree* child = node.find(step.key); child != nullptr)
    return assign(*child, path, depth + 1, std::move(value));
  const bool is_removal = value.is_null();
  Tree child;
  if (Status status = assign(child, path, depth + 1, std::move(value)); !status) return status;
  if (!is_removal) node.set(step.key, std::move(child));
  return {};
}

std::string written_key(std::string_view key) {
  std::string result;
  for (const char c : key) {
    if (std::string_view(".[]=\\").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string below(const std::string& path, std::string_view key) {
  return path.empty() ? written_key(key) : path + "." + written_key(key);
}

using Differences = std::vector<Difference>;

bool has_children(const Tree& node) {
  return node.is_map() ? !node.entries().empty() : !node.items().empty();
}

/// All leaves below a node that only one side has.
void add_leaves(const std::string& path, const Tree& node, bool is_added, Differences& found) {
  if (!has_children(node)) {
    found.push_back({path, is_added ? nullptr : &node, is_added ? &node : nullptr});
    return;
  }
  for (const auto& [key, value] : node.entries())
    add_leaves(below(path, key), value, is_added, found);
  for (std::size_t i = 0; i < node.items().size(); ++i) {
    add_leaves(fmt::format("{}[{}]", path, i), node.items()[i], is_added, found);
  }
}

void compare(const std::string& path, const Tree& before, const Tree& after, Differences& changed,
             Differences& removed) {
  const bool is_pair = (before.is_map() && after.is_map()) || (before.is_list() && after.is_list());
  if (!is_pair) {
    if (!(before == after)) changed.push_back({path, &before, &after});
    return;
  }
  for (const auto& [key, value] : after.entries()) {
    const Tree* old = before.find(key);
    if (old == nullptr) {
      add_leaves(below(path, key), value, true, changed);
    } else {
      compare(below(path, key), *old, value, changed, removed);
    }
  }
  for (const auto& [key, value] : before.entries()) {
    if (after.find(key) == nullptr) add_leaves(below(path, key), value, false, removed);
  }
  const auto& olds = before.items();
  const auto& news = after.items();
  for (std::size_t i = 0; i < std::max(olds.size(), news.size()); ++i) {
    const std::string element = fmt::format("{}[{}]", path, i);
    if (i >= olds.size()) {
      add_leaves(element, news[i], true, changed);
    } else if (i >= news.size()) {
      add_leaves(element, olds[i], false, removed);
    } else {
      compare(element, olds[i], news[i], changed, removed);
    }
  }
}

}  // namespace

Status set_path(Tree& document, std::string_view assignment) {
  return set_path_below(document, {}, assignment);
}

Status set_path_below(Tree& document, std::initializer_list<std::string_view> prefix,
                      std::string_view assignment) {
  PathReader reader(assignment);
  auto steps = reader.read();
  if (!steps) return fail(steps.error());
  auto value = read_value(reader.rest());
  if (!value) return fail(value.error());
  Path path;
  for (const std::string_view key : prefix) {
    PathPart step;
    step.key = std::string(key);
    step.path = below(path.empty() ? std::string() : path.back().path, key);
    path.push_back(std::move(step));
  }
  std::ranges::move(*steps, std::back_inserter(path));
  return assign(document, path, 0, std::move(*value));
}

Differences differences(const Tree& before, const Tree& after) {
  Differences changed;
  Differences removed;
  compare("", before, after, changed, removed);
  std::ranges::move(removed, std::back_inserter(changed));
  return changed;
}

}  // namespace ballast::doc
