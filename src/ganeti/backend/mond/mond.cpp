// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/backend/mond/mond.hpp"

#include <array>

#include "ballast/core/strings.hpp"
#include "ballast/ganeti/backend/objects/dictionary.hpp"

namespace ballast::ganeti {
namespace {

using json::Dictionary;
using json::Kind;
using json::Value;

struct Report {
  std::string name;
  Value data;
};

Result<std::string> to_version(Value value) {
  if (value.is(Kind::String)) return value.text();
  return fail("Invalid JSON value " + json::internal(value) + " for type DCVersion");
}

Result<std::string> to_category(Value value) {
  if (!value.is(Kind::String))
    return fail("Invalid JSON value " + json::internal(value) + " for type DCCategory");
  constexpr std::array<std::string_view, 4> kKnown{"instance", "storage", "daemon", "hypervisor"};
  std::string name = value.text();
  if (std::find(kKnown.begin(), kKnown.end(), name) == kKnown.end())
    return fail("Invalid category name " + name + " for type DCCategory");
  return name;
}

Result<std::int64_t> to_kind(Value value) {
  if (!value.is(Kind::Number))
    return fail("Invalid JSON value " + json::internal(value) + " for type DCKind");
  if (const auto fraction = json::shown_fraction(value))
    return fail("Invalid JSON value " + *fraction + " for type DCKind");
  const std::int64_t kind = *json::to_int(value);
  if (kind != 0 && kind != 1)
    return fail("Invalid JSON value " + std::to_string(kind) + " for type DCKind");
  return kind;
}

Result<std::int64_t> to_integer(Value value) {
  auto number = json::to_int(value);
  if (!number) return fail("Unable to read Integer");
  return number;
}

Result<Report> to_report(Value value) {
  if (auto object = json::to_object(value); !object) return fail(std::move(object.error()));
  Report report;
  std::string text;
  std::int64_t number = 0;
  auto error = Dictionary(value)
                   .read(report.name, "name", json::to_string)
                   .read(text, "version", to_version)
                   .read(number, "format_version", json::to_int)
                   .read(number, "timestamp", to_integer)
                   .read_optional(text, "category", to_category)
                   .read(number, "kind", to_kind)
                   .read(report.data, "data", to_itself)
                   .finish();
  if (error) return fail(std::move(*error));
  return report;
}

std::optional<Measurement> cpu_average(Value data) {
  Measurement result;
  std::int64_t count = 0;
  std::vector<double> each;
  const auto error = Dictionary(data)
                         .read(count, "cpu_number", json::to_int)
                         .read(each, "cpus", json::list_of(json::to_double))
                         .read(result.cpu_total, "cpu_total", json::to_double)
                         .finish();
  return error ? std::nullopt : std::optional(std::move(result));
}

std::optional<Measurement> xen_average(Value data) {
  Measurement result;
  Value key = data.first();
  for (std::uint32_t left = data.size(); left > 0; --left) {
    const auto load = json::to_double(key.after());
    if (!load) return std::nullopt;
    result.cpu_by_instance[key.text()] = *load;
    key = key.after().after();
  }
  return result;
}

std::optional<Measurement> to_measurement(Value data, Collector collector) {
  if (!data.is(Kind::Object)) return std::nullopt;
  return collector == Collector::CpuAverage ? cpu_average(data) : xen_average(data);
}

}  // namespace

std::string_view name_of(Collector collector) {
  return collector == Collector::CpuAverage ? "cpu-avg-load" : "xen-cpu-avg-load";
}

Result<Measurements> read_monitoring_file(std::string text, Collector collector) {
  constexpr std::string_view kPrefix = "Parsing MonD's answer: ";
  const auto document = json::Document::parse(std::move(text));
  if (!document) {
    if (document.error().message == json::kBadBytes) return fail(document.error());
    return fail(std::string(kPrefix) + document.error().message);
  }
  const auto entries = json::list_of(json::to_object)((*document)->root());
  if (!entries) return fail(std::string(kPrefix) + entries.error().message);
  Measurements measurements;
  for (const Value entry : *entries) {
    std::string node;
    std::vector<Report> reports;
    auto error = read_into(node, Owned{entry, "Parsing node's name", {}}, "node", json::to_string);
    if (!error) {
      error = read_into(reports, Owned{entry, "Parsing node's reports", {}}, "reports",
                        json::list_of(to_report));
    }
    if (error) return fail(std::move(*error));
    const auto report = std::find_if(reports.begin(), reports.end(), [&](const Report& one) {
      return one.name == name_of(collector);
    });
    measurements.erase(node);  // of two entries for one node the last counts
    if (report == reports.end()) continue;
    if (auto usable = to_measurement(report->data, collector))
      measurements[node] = std::move(*usable);
  }
  return measurements;
}

std::optional<Measurement> read_monitoring_answer(std::string body, Collector collector) {
  const auto document = json::Document::parse(std::move(body));
  if (!document) return std::nullopt;
  const auto report = to_report((*document)->root());
  return report ? to_measurement(report->data, collector) : std::nullopt;
}

Measurements fetch_measurements(const Cluster& cluster, Collector collector,
                                const HttpOptions& options, std::vector<std::string>& unreachable) {
  Measurements measurements;
  for (const Node& node : cluster.nodes) {
    const std::string url =
        url_part(node.name) + ":1815/1/report/default/" + std::string(name_of(collector));
    auto body = http_get(url, options);
    if (!body) {
      unreachable.push_back(node.name);
    } else if (auto usable = read_monitoring_answer(std::move(*body), collector)) {
      measurements[node.name] = std::move(*usable);
    }
  }
  return measurements;
}

}  // namespace ballast::ganeti
