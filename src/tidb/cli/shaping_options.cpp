// SPDX-License-Identifier: BSD-2-Clause
#include "shaping_options.hpp"

#include <fmt/format.h>

namespace ballast::tidb {

namespace {

void set_seconds(Value& options, std::string_view key, std::int64_t seconds, std::int64_t normal) {
  if (seconds != normal) options.set(key, fmt::format("{}s", seconds));
}

}  // namespace

Value shaping_options(const Settings& settings) {
  using operators::record;
  using operators::record_selection;
  const PlanOptions& plan = settings.plan;
  const PlanOptions normal;
  Value options = Value::map();
  record_selection(options, settings);
  record(options, "cluster", settings.load.cluster);
  if (plan.allow_unsafe) options.set("allow_unsafe", true);
  if (plan.assume_healthy) options.set("assume_healthy", true);
  if (plan.set_order) options.set("scale_order", "set-order");
  if (plan.ramp) options.set("create_mode", "ramp");
  if (!plan.auto_failover) options.set("auto_failover", false);
  set_seconds(options, "pd_failover_period", plan.failover_period_s[0],
              normal.failover_period_s[0]);
  set_seconds(options, "tikv_failover_period", plan.failover_period_s[1],
              normal.failover_period_s[1]);
  set_seconds(options, "tidb_failover_period", plan.failover_period_s[2],
              normal.failover_period_s[2]);
  set_seconds(options, "stuck_after", plan.stuck_after_s, normal.stuck_after_s);
  if (settings.load.max_replicas) options.set("max_replicas", *settings.load.max_replicas);
  record(options, "features", std::vector<std::string>(plan.features.begin(), plan.features.end()));
  if (settings.load.default_name) {
    options.set("default_name_style",
                *settings.load.default_name == DefaultName::Plain ? "plain" : "suffixed");
  }
  if (settings.load.config_map == ConfigMapName::Short) options.set("configmap_style", "short");
  record(options, "order", settings.load.orders);
  if (plan.rate_mib) options.set("rate", *plan.rate_mib);
  if (plan.parallel != normal.parallel) options.set("parallel", plan.parallel);
  record(options, "set", settings.sets);
  return options;
}

}  // namespace ballast::tidb
