// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/better_plan.hpp"

#include "ballast/core/decimal.hpp"
#include "ballast/ganeti/cli/progress.hpp"
#include "ballast/ganeti/search/replay.hpp"

#include "values.hpp"

#include <fmt/format.h>

#include <chrono>
#include <functional>

namespace ballast::ganeti::cli {
namespace {

using Effect = std::function<Status(SearchWish&, MaybeText)>;

ballast::cli::Option option(SearchWish& wish, std::string name, Takes takes, std::string value_name,
                            std::string completion, std::string help, Effect effect) {
  ballast::cli::Option made;
  made.name = std::move(name);
  made.takes = takes;
  made.value_name = std::move(value_name);
  made.completion = std::move(completion);
  made.help = std::move(help);
  made.apply = [&wish, effect = std::move(effect)](MaybeText value) {
    wish.is_wanted = true;
    return effect(wish, value);
  };
  return made;
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

std::string figures_line(std::string_view label, const PlanFigures& figures) {
  return fmt::format("  {:<14} score {}, {} steps, {} MiB to copy\n", label,
                     fixed(figures.score, 8), figures.steps, figures.copied_mib);
}

std::string comparison_of(const ImproveResult& improved) {
  return (improved.is_better ? std::string() : std::string("No better plan found.\n")) +
         figures_line("this plan:", improved.figures) +
         figures_line("step by step:", improved.plain) +
         fmt::format("  at least:      score {}\n", fixed(improved.at_least, 8));
}

Clock started_clock() {
  const auto start = std::chrono::steady_clock::now();
  return [start] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
}

FoundPlan search(const Snapshot& snapshot, const Part& part, const Settings& settings,
                 const SearchWish& wish, Output& output) {
  if (wish.is_wanted) {
    ImproveResult improved = improve(snapshot.cluster, snapshot.state, part, settings.balance,
                                     wish.improve, started_clock());
    std::string comparison = comparison_of(improved);
    return {std::move(improved.plan), std::move(comparison)};
  }
  Progress progress(output);
  return {balance(snapshot.cluster, snapshot.state, part, settings.balance,
                  [&progress](const BalanceStep& step, std::size_t index) {
                    progress.step(index + 1, step.score);
                  }),
          ""};
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
      option(wish, "move-price", Takes::Value, "SCORE", "float",
             "what each step must gain at least, in score",
             [](SearchWish& w, MaybeText v) { return set_price(w.improve.move_price, v); }),
      option(wish, "data-price", Takes::Value, "SCORE", "float",
             "what each GiB that is copied must gain at least, in score",
             [](SearchWish& w, MaybeText v) { return set_price(w.improve.data_price, v); }),
      option(wish, "max-data", Takes::Value, "MIB", "integer", "most MiB that the plan may copy",
             [](SearchWish& w, MaybeText v) {
               std::int64_t mib = 0;
               const Status read = set_count(mib, v);
               w.improve.max_data_mib = mib;
               return read;
             }),
      option(wish, "never-worse", Takes::Nothing, "", "none", "the score must fall at every step",
             [](SearchWish& w, MaybeText) {
               w.improve.never_worse = true;
               return Status();
             }),
  };
}

Value shaping_options(const SearchWish& wish) {
  const ImproveOptions usual;
  const ImproveOptions& now = wish.improve;
  Value options = Value::map();
  if (!wish.is_wanted) return options;
  options.set("search", now.seconds);
  if (now.trials != usual.trials) options.set("search-steps", now.trials);
  if (now.seed != usual.seed) options.set("seed", static_cast<std::int64_t>(now.seed));
  if (now.move_price) options.set("move-price", *now.move_price);
  if (now.data_price) options.set("data-price", *now.data_price);
  if (now.max_data_mib) options.set("max-data", *now.max_data_mib);
  if (now.never_worse) options.set("never-worse", true);
  return options;
}

OrExit<FoundPlan> find_plan(const Snapshot& snapshot, const Part& part, const Settings& settings,
                            const SearchWish& wish, Output& output) {
  FoundPlan found = search(snapshot, part, settings, wish, output);
  const Status replayed = replay(snapshot.cluster, snapshot.state, part, found.result.steps,
                                 settings.balance.ignore_soft_errors);
  if (replayed) return found;
  return tl::unexpected(output.fail(fmt::format(
      "hbal: internal error: the plan is not shown, since {}\n", replayed.error().message)));
}

}  // namespace ballast::ganeti::cli
