// SPDX-License-Identifier: BSD-2-Clause
// The options of hbal that shape what the plan is searched for.
#include "ballast/cli/option_makers.hpp"
#include "ballast/ganeti/backend/simulate/size.hpp"
#include "ballast/ganeti/cli/balance/better_plan.hpp"
#include "ballast/ganeti/cli/balance/mending.hpp"

#include "ballast/ganeti/cli/options/values.hpp"

#include <fmt/format.h>

#include <array>
#include <functional>
#include <utility>

namespace ballast::ganeti::cli {
namespace {

using Effect = std::function<Status(SearchWish&, MaybeText)>;

ballast::cli::Option plain_option(SearchWish& wish, std::string name, Takes takes,
                                  std::string value_name, std::string completion, std::string help,
                                  Effect effect) {
  ballast::cli::Option made;
  made.name = std::move(name);
  made.takes = takes;
  made.value_name = std::move(value_name);
  made.completion = std::move(completion);
  made.help = std::move(help);
  made.apply = [&wish, effect = std::move(effect)](MaybeText value) { return effect(wish, value); };
  return made;
}

/// One that asks for the search.
ballast::cli::Option option(SearchWish& wish, std::string name, Takes takes, std::string value_name,
                            std::string completion, std::string help, const Effect& effect) {
  return plain_option(wish, std::move(name), takes, std::move(value_name), std::move(completion),
                      std::move(help), [effect](SearchWish& w, MaybeText value) {
                        w.is_wanted = true;
                        return effect(w, value);
                      });
}

/// A number that is at least 0.
Status set_amount(double& target, MaybeText value) {
  double number = 0;
  if (const Status read = set_double(number, "number", value); !read) return read;
  if (!(number >= 0)) return fail(fmt::format("{} is not 0 or more", quoted(value.value_or(""))));
  target = number;
  return {};
}

Status set_price(std::optional<double>& target, MaybeText value) {
  double price = 0;
  if (const Status read = set_amount(price, value); !read) return read;
  target = price;
  return {};
}

Status set_count(std::int64_t& target, MaybeText value) {
  std::int64_t number = 0;
  if (const Status read = set_int(number, "number", value); !read) return read;
  if (number < 0) return fail(fmt::format("{} is not 0 or more", quoted(value.value_or(""))));
  target = number;
  return {};
}

Status set_size(std::int64_t& target_mib, MaybeText value) {
  const auto size = parse_size(value.value_or(""));
  if (!size) return fail(size.error());
  if (*size < 0) return fail(fmt::format("{} is not 0 or more", quoted(value.value_or(""))));
  target_mib = *size;
  return {};
}

/// Seconds, or with a unit: s, m, h, d.
Status set_time(std::optional<std::int64_t>& target, MaybeText value) {
  std::string_view text = value.value_or("");
  double factor = 1;
  constexpr std::array kUnits{std::pair('s', 1.0), std::pair('m', 60.0), std::pair('h', 3600.0),
                              std::pair('d', 86400.0)};
  for (const auto& [unit, seconds] : kUnits) {
    if (text.size() < 2 || text.back() != unit) continue;
    factor = seconds;
    text.remove_suffix(1);
    break;
  }
  const auto number = parse_double("time", text);
  if (!number || !(*number >= 0 && *number * factor <= 1e12))
    return fail(
        fmt::format("{}: expected a time such as 7200, 90m or 2h", quoted(value.value_or(""))));
  target = static_cast<std::int64_t>(*number * factor);
  return {};
}

Status set_share(double& percent, MaybeText value) {
  double number = 0;
  if (const Status read = set_amount(number, value); !read) return read;
  if (number > 100) return fail(fmt::format("{} is more than 100", quoted(value.value_or(""))));
  percent = number;
  return {};
}

Status set_unit(std::optional<StorageKey>& unit, MaybeText value) {
  const std::string_view text = value.value_or("");
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos || slash == 0 || slash + 1 == text.size())
    return fail(fmt::format("{} is not TYPE/KEY", quoted(text)));
  unit = StorageKey{canonical_storage_type(text.substr(0, slash)),
                    std::string(text.substr(slash + 1))};
  return {};
}

Status set_thresholds(Thresholds& thresholds, MaybeText value) {
  const auto read = parse_thresholds(value.value_or(""));
  if (!read) return fail(read.error());
  thresholds = *read;
  return {};
}

Status set_room(std::optional<RoomSpec>& room, MaybeText value) {
  auto spec = parse_room(value.value_or(""));
  if (!spec) return fail(spec.error());
  room = *spec;
  return {};
}

}  // namespace

std::vector<ballast::cli::Option> search_options(SearchWish& wish) {
  const auto seconds = [](SearchWish& w, MaybeText v) {
    return v ? set_amount(w.improve.seconds, v) : Status();
  };
  return {
      option(wish, "search", Takes::OptionalValue, "SECONDS", "float",
             "search for a better plan than step by step, for at most this time (10)", seconds),
      option(wish, "search-steps", Takes::Value, "N", "integer",
             "work limit of the search; the same plan on every machine",
             [](SearchWish& w, MaybeText v) { return set_count(w.improve.trials, v); }),
      option(wish, "seed", Takes::Value, "N", "integer", "seed of the search (1)",
             [](SearchWish& w, MaybeText v) {
               std::int64_t seed = 0;
               const Status read = set_count(seed, v);
               w.improve.seed = static_cast<std::uint64_t>(seed);
               return read;
             }),
      option(wish, "explain-bound", Takes::Nothing, "", "none",
             "say what keeps every plan's score up",
             [](SearchWish& w, MaybeText) -> Status { return w.explains_bound = true, Status(); }),
      option(wish, "move-price", Takes::Value, "SCORE", "float",
             "what each step must gain at least, in score",
             [](SearchWish& w, MaybeText v) { return set_price(w.improve.move_price, v); }),
      option(wish, "data-price", Takes::Value, "SCORE", "float",
             "what each GiB that is copied must gain at least, in score",
             [](SearchWish& w, MaybeText v) { return set_price(w.improve.data_price, v); }),
      option(wish, "max-steps", Takes::Value, "N", "integer",
             "most steps of the plan, whatever the step-by-step plan has",
             [](SearchWish& w, MaybeText v) {
               std::int64_t steps = 0;
               const Status read = set_count(steps, v);
               w.improve.max_steps = steps;
               return read;
             }),
      option(wish, "max-data", Takes::Value, "SIZE", "string", "most data that the plan may copy",
             [](SearchWish& w, MaybeText v) {
               std::int64_t mib = 0;
               const Status read = set_size(mib, v);
               w.improve.max_data_mib = mib;
               return read;
             }),
      option(wish, "never-worse", Takes::Nothing, "", "none", "the score must fall at every step",
             [](SearchWish& w, MaybeText) {
               w.improve.never_worse = true;
               return Status();
             }),
      plain_option(wish, "stop-at", Takes::Value, "PERCENT", "float",
                   "end the plan at this share of what it would gain (100)",
                   [](SearchWish& w, MaybeText v) { return set_share(w.stop_at_percent, v); }),
      plain_option(wish, "make-room", Takes::Value, "SPEC", "string",
                   "fewest moves until an instance of this size fits: memory=SIZE[,disk=SIZE]"
                   "[,vcpus=N][,template=NAME]",
                   [](SearchWish& w, MaybeText v) { return set_room(w.room, v); }),
      ballast::cli::needing(
          "rate",
          option(wish, "max-time", Takes::Value, "TIME", "string",
                 "most time that the plan's copies may take (2h, 90m, seconds); needs --rate",
                 [](SearchWish& w, MaybeText v) { return set_time(w.max_seconds, v); })),
      option(wish, "max-per-node", Takes::Value, "SIZE", "string",
             "most data that a node may receive, and most that it may send",
             [](SearchWish& w, MaybeText v) {
               std::int64_t mib = 0;
               const Status read = set_size(mib, v);
               w.max_per_node_mib = mib;
               return read;
             }),
      plain_option(wish, "since", Takes::Value, "PLAN", "file",
                   "do not move again what this earlier plan (JSON) moves; repeatable",
                   [](SearchWish& w, MaybeText v) {
                     w.earlier_plans.push_back(text_of_value(v));
                     return Status();
                   }),
      plain_option(wish, "keep", Takes::Value, "TIME", "string",
                   "with --since: plans whose file is older (7d, 12h, seconds) no longer count",
                   [](SearchWish& w, MaybeText v) { return set_time(w.keep_seconds, v); }),
      plain_option(wish, "repair", Takes::Nothing, "", "none",
                   "the fewest moves after which no rule is broken, and nothing else",
                   [](SearchWish& w, MaybeText) {
                     w.repair = true;
                     return Status();
                   }),
      plain_option(wish, "only-above", Takes::Value, "RESOURCE=SHARE%,...", "string",
                   "only what brings nodes below these shares of memory, disk or cpu",
                   [](SearchWish& w, MaybeText v) { return set_thresholds(w.only_above, v); }),
      plain_option(wish, "only-storage", Takes::Value, "TYPE/KEY", "string",
                   "level this storage unit only, whatever the score",
                   [](SearchWish& w, MaybeText v) { return set_unit(w.only_storage, v); }),
  };
}

Value shaping_options(const SearchWish& wish) {
  const ImproveOptions usual;
  const ImproveOptions& now = wish.improve;
  Value options = Value::map();
  if (wish.stop_at_percent < 100) options.set("stop-at", wish.stop_at_percent);
  if (wish.only_storage) options.set("only-storage", to_string(*wish.only_storage));
  if (wish.max_seconds) options.set("max-time", *wish.max_seconds);
  if (wish.max_per_node_mib) options.set("max-per-node", *wish.max_per_node_mib);
  if (!wish.earlier_plans.empty()) {
    Value plans = Value::list();
    for (const std::string& path : wish.earlier_plans) plans.push(path);
    options.set("since", std::move(plans));
  }
  if (wish.keep_seconds) options.set("keep", *wish.keep_seconds);
  if (wish.repair) options.set("repair", true);
  if (!wish.only_above.empty()) options.set("only-above", to_string(wish.only_above));
  if (wish.room) options.set("make-room", to_string(*wish.room));
  if (!wish.is_wanted) return options;
  options.set("search", now.seconds);
  if (now.trials != usual.trials) options.set("search-steps", now.trials);
  if (now.seed != usual.seed) options.set("seed", static_cast<std::int64_t>(now.seed));
  if (now.move_price) options.set("move-price", *now.move_price);
  if (now.data_price) options.set("data-price", *now.data_price);
  if (now.max_steps) options.set("max-steps", *now.max_steps);
  if (now.max_data_mib) options.set("max-data", *now.max_data_mib);
  if (now.never_worse) options.set("never-worse", true);
  return options;
}

}  // namespace ballast::ganeti::cli
