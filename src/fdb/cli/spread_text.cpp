// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "ballast/core/strings.hpp"
#include "ballast/core/units.hpp"
#include "ballast/core/words.hpp"
#include "ballast/fdb/cli/spread_report.hpp"
#include "ballast/kube/object.hpp"

namespace ballast::fdb {
namespace {

std::string none_or_counted(std::size_t n, std::string_view thing) {
  return n == 0 ? fmt::format("no {}", thing) : counted(n, thing);
}

struct Row {
  std::string domain;
  int before = 0;
  int after = 0;
  std::string groups;
  std::string hosts;
  std::string remark;
};

/// A class's table and the lines below it.
class ClassBlock {
 public:
  ClassBlock(const Spread& spread, const SpreadClass& row) : spread_(spread), row_(row) {}

  std::string text() {
    add_head();
    add_table();
    for (std::size_t i = 0; i < row_.victims.size();) i = add_victims(i);
    for (const SpreadNewcomer& newcomer : row_.newcomers) {
      if (row_.victims.empty())
        out_ += fmt::format("  add {} to {}: the count is short of {}\n", newcomer.id, newcomer.to,
                            row_.wanted);
    }
    if (row_.shrink > 0)
      out_ += fmt::format("  shrink by {}: the count is above {}; a fullest domain gives\n",
                          row_.shrink, row_.wanted);
    if (!row_.marked.empty())
      out_ += fmt::format("  leaves anyway, not counted: {}\n", fmt::join(row_.marked, ", "));
    add_rounds();
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool changes() const {
    return !row_.victims.empty() || !row_.newcomers.empty() || row_.shrink > 0;
  }

  void add_head() {
    const int present = row_.present();
    const std::string wanted =
        present == row_.wanted ? "" : fmt::format(", {} wanted,", row_.wanted);
    out_ +=
        fmt::format("{}: {} group{}{} over {} domain{}, min {}, max {}, {}\n",
                    name(row_.process_class), present, present == 1 ? "" : "s", wanted,
                    spread_.options.domains, spread_.options.domains == 1 ? "" : "s", row_.minimum,
                    row_.maximum, none_or_counted(row_.victims.size(), "replacement"));
  }

  [[nodiscard]] std::string group_list(const std::vector<std::string>& groups,
                                       std::string_view key) const {
    std::vector<std::string> parts;
    for (const std::string& id : groups) {
      const bool leaves =
          std::ranges::find(row_.victims, id, &SpreadVictim::id) != row_.victims.end();
      parts.push_back(leaves ? id + " (leaves)" : id);
    }
    for (const SpreadNewcomer& newcomer : row_.newcomers) {
      if (newcomer.to == key) parts.push_back(newcomer.id + " (new)");
    }
    return parts.empty() ? "-" : fmt::format("{}", fmt::join(parts, ", "));
  }

  [[nodiscard]] std::string host_list(const SpreadDomain& domain) const {
    if (!spread_.hosts_known) return "unknown";
    return domain.hosts.empty() ? "-" : fmt::format("{}", fmt::join(domain.hosts, ", "));
  }

  static std::string remark_of(const SpreadDomain& domain) {
    std::vector<std::string> parts;
    if (domain.hosts.size() > 1) parts.emplace_back("several hosts");
    for (const SharedHost& share : domain.shares)
      parts.push_back(fmt::format("shares {} with {}", share.host, share.with));
    return fmt::format("{}", fmt::join(parts, "; "));
  }

  void add_table() {
    std::vector<Row> rows;
    for (const SpreadDomain& domain : row_.domains) {
      rows.push_back({domain.key, domain.before, domain.after,
                      group_list(domain.groups, domain.key), host_list(domain), remark_of(domain)});
    }
    if (!row_.unbound.empty()) {
      rows.push_back({"unbound", static_cast<int>(row_.unbound.size()), 0,
                      group_list(row_.unbound, "unbound"), "", ""});
    }
    Row widths{"domain", 0, 0, "groups", "hosts", ""};
    const auto width = [&rows](const std::string& head, auto field) {
      std::size_t most = head.size();
      for (const Row& row : rows) most = std::max(most, (row.*field).size());
      return most;
    };
    const std::size_t domain_width = width(widths.domain, &Row::domain);
    const std::size_t group_width = width(widths.groups, &Row::groups);
    const std::size_t host_width = width(widths.hosts, &Row::hosts);
    const bool counts = changes();
    add_line({pad_right("domain", domain_width), counts ? "before  after" : "",
              pad_right("groups", group_width), "hosts"});
    for (const Row& row : rows) {
      add_line({pad_right(row.domain, domain_width),
                counts ? fmt::format("{:>6}  {:>5}", row.before, row.after) : "",
                pad_right(row.groups, group_width), pad_right(row.hosts, host_width), row.remark});
    }
  }

  /// Cells two blanks apart, empty ones left out, nothing at the end.
  void add_line(const std::vector<std::string>& cells) {
    std::string line;
    for (const std::string& cell : cells) {
      if (!cell.empty()) line += "  " + cell;
    }
    line.resize(line.find_last_not_of(' ') + 1);
    out_ += line + "\n";
  }

  /// One line for victims of the same domain and reason that follow each other; returns the
  /// position behind them.
  std::size_t add_victims(std::size_t first) {
    const SpreadVictim& victim = row_.victims[first];
    std::vector<std::string> ids;
    std::optional<std::int64_t> bytes = 0;
    std::size_t i = first;
    for (; i < row_.victims.size(); ++i) {
      const SpreadVictim& next = row_.victims[i];
      if (next.from != victim.from || next.reason != victim.reason) break;
      ids.push_back(next.id);
      bytes =
          bytes && next.stored_bytes ? std::optional(*bytes + *next.stored_bytes) : std::nullopt;
    }
    const std::string from = victim.from.empty() ? "" : " of " + victim.from;
    const bool holds_data = row_.process_class == ProcessClass::Storage && bytes;
    const std::string size = holds_data ? fmt::format(" ({})", size_text(*bytes)) : "";
    out_ += fmt::format("  replace {}{}{}: {}: {}\n", fmt::join(ids, ", "), from, size,
                        code(victim.reason), because(victim));
    return i;
  }

  [[nodiscard]] std::string because(const SpreadVictim& victim) const {
    switch (victim.reason) {
      case PackingReason::Dropped:
        return fmt::format("only {} domains are wanted", spread_.options.domains);
      case PackingReason::Unbound:
        return "bound to no logical domain, and a group never changes its domain";
      case PackingReason::OverMaximum:
        return fmt::format("the domain holds more than the maximum of {}", row_.maximum);
      case PackingReason::Rebalance:
        return fmt::format(
            "another domain would stay below the minimum of {}; a fullest domain gives",
            row_.minimum);
    }
    return {};
  }

  [[nodiscard]] std::string rounds_text(Mode mode, const SpreadRounds& rounds) const {
    const auto shown = [](const std::optional<int>& n) {
      return n ? fmt::format("{}", *n) : std::string("unknown");
    };
    switch (mode) {
      case Mode::Zone:
        return fmt::format("one zone at a time: {} by {}, {} by domain", shown(rounds.before),
                           row_.counts_hosts ? "host" : "fault domain", shown(rounds.after));
      case Mode::ProcessGroup:
        return rounds.before == rounds.after
                   ? fmt::format("one group at a time: {}", shown(rounds.after))
                   : fmt::format("one group at a time: {} before, {} after", shown(rounds.before),
                                 shown(rounds.after));
      case Mode::All:
        return "all at once: 1";
      case Mode::None:
        return "mode None: it never ends";
    }
    return {};
  }

  void add_rounds() {
    const std::string removal = rounds_text(spread_.removal_mode, row_.removal);
    const std::string recreation = rounds_text(spread_.deletion_mode, row_.recreation);
    if (removal == recreation) {
      out_ += fmt::format("  rounds to remove or recreate every pod of the class, {}\n", removal);
    } else {
      out_ += fmt::format("  rounds to remove every pod of the class, {}\n", removal);
      out_ += fmt::format("  rounds to recreate every pod of the class, {}\n", recreation);
    }
  }

  const Spread& spread_;
  const SpreadClass& row_;
  std::string out_;
};

std::string header(const Spread& spread, const Cluster& cluster) {
  std::string text =
      fmt::format("Spread of {}/{} over {} fault domains, anti-affinity {}, scope {}, at {}\n",
                  cluster.name_space, cluster.name, spread.options.domains,
                  spread.options.is_required ? "required" : "preferred",
                  spread.options.by_class ? "class" : "cluster", kube::format_time(cluster.now));
  const int replacements = spread.replacements();
  text += replacements == 0
              ? "nothing to replace"
              : none_or_counted(static_cast<std::size_t>(replacements), "replacement") +
                    ", the fewest possible";
  const auto bytes = spread.bytes();
  if (replacements > 0)
    text += bytes ? fmt::format(", {} to move", size_text(*bytes)) : ", bytes to move not known";
  return text + "\n";
}

std::string waits(const Spread& spread) {
  if (spread.wait_between_removals_seconds <= 0) return {};
  std::vector<std::string> parts;
  for (const SpreadClass& row : spread.classes) {
    if (!row.removal.after) continue;
    const auto seconds = [&](int rounds) {
      return std::max(0, rounds - 1) * spread.wait_between_removals_seconds;
    };
    std::string part = fmt::format("{} {} s", name(row.process_class), seconds(*row.removal.after));
    if (row.removal.before && *row.removal.before != *row.removal.after) {
      part += fmt::format(" instead of {} s", seconds(*row.removal.before));
    }
    parts.push_back(std::move(part));
  }
  if (parts.empty()) return {};
  return fmt::format("\nwaits of {} s between rounds of removal add up to at least: {}\n",
                     spread.wait_between_removals_seconds, fmt::join(parts, "; "));
}

std::string indented(std::string_view text, std::string_view indent) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = text.find('\n') + 1;
    result += indent;
    result += text.substr(0, end);
    text.remove_prefix(end);
  }
  return result;
}

std::string labels(const Spread& spread, const Cluster& cluster) {
  if (spread.classes.empty()) return {};
  const ProcessClass c = spread.classes.front().process_class;
  const std::string key = domain_key(c, 0);
  return fmt::format(
      "\neach pod gets, with KEY its domain\n  label foundationdb.org/distribution-key: KEY\n  "
      "environment FDB_ZONE_ID=KEY\n"
      "  affinity, here of {}\n{}",
      key, indented(doc::emit_yaml(spread_affinity(spread, cluster, c, key)), "    "));
}

}  // namespace

std::string spread_to_text(const Spread& spread, const Cluster& cluster) {
  std::string text = header(spread, cluster);
  for (const SpreadClass& row : spread.classes) text += "\n" + ClassBlock(spread, row).text();
  text += waits(spread);
  text += labels(spread, cluster);
  if (!spread.warnings.empty()) text += "\nwarnings\n";
  for (const SpreadWarning& warning : spread.warnings) {
    text += fmt::format("  {} {}: {}\n", warning.is_danger ? "danger" : "warning", warning.code,
                        warning.text);
  }
  if (std::ranges::any_of(spread.classes,
                          [](const SpreadClass& row) { return !row.newcomers.empty(); })) {
    text += "\nthe operator picks random numbers; the IDs of new groups are placeholders\n";
  }
  return text;
}

}  // namespace ballast::fdb
