// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include "answers.hpp"
#include "ballast/ganeti/backend/rapi/rapi.hpp"
#include "job_wait.hpp"

namespace ballast::ganeti {
namespace {

using json::Value;

/// Gets a resource and gives its document's root to `read`.
template <class Read>
Status get(const std::string& url, const HttpOptions& options, Read read) {
  auto body = rapi_get(url, options);
  if (!body) return fail(std::move(body.error()));
  // A bare number is no document to the reader; in a list it is.
  const auto document = json::Document::parse("[" + *body + "]");
  if (!document || (*document)->root().size() != 1)
    return fail(fmt::format("{}: {}", without_password(url),
                            document ? "not one value" : document.error().message));
  return read((*document)->root().first());
}

template <class Read>
Status run_job(const std::string& url, const std::string& resource, const HttpOptions& options,
               Read read) {
  std::string job;
  auto status = get(url + resource, options, [&](Value id) -> Status {
    // Older masters send the number as text.
    job = std::string(id.raw());
    if (job.empty() || job.find_first_not_of("0123456789") != std::string::npos)
      return fail(fmt::format("{}: no job number: {}", resource, json::pretty(id)));
    return {};
  });
  if (!status) return status;
  return wait_for_job(job, options.timeout, [&]() -> Result<bool> {
    bool has_ended = false;
    const auto asked = get(url + "/2/jobs/" + job, options, [&](Value answer) -> Status {
      const auto object = json::to_object(answer);
      if (!object) return fail(fmt::format("job {}: {}", job, object.error().message));
      const auto word = json::required(*object, "status");
      const auto results = json::required(*object, "opresult");
      if (!word || !results)
        return fail(fmt::format("job {}: {}", job, (word ? results : word).error().message));
      const auto result = job_result(*word, *results, job);
      if (!result) return fail(result.error());
      has_ended = result->has_value();
      return has_ended ? read(**result) : Status();
    });
    if (!asked) return fail(asked.error());
    return has_ended;
  });
}

}  // namespace

Result<StorageFacts> query_storage(const std::string& url, const Cluster& cluster,
                                   const HttpOptions& options) {
  StorageFacts facts;
  Status status =
      get(url + "/2/info", options, [&](Value info) { return read_templates(facts, info); });
  for (const std::string& type : queried_types(facts)) {
    for (const Node& node : cluster.nodes) {
      if (!status) return fail(status.error());
      if (node.is_offline) continue;
      const std::string resource =
          fmt::format("/2/nodes/{}/storage?storage_type={}&output_fields=name,size,free",
                      url_part(node.name), type);
      status = run_job(url, resource, options,
                       [&](Value rows) { return read_places(facts, type, rows, node.name); });
    }
  }
  for (const Instance& instance : cluster.instances) {
    if (!status) return fail(status.error());
    status = run_job(url, fmt::format("/2/instances/{}/info?static=1", url_part(instance.name)),
                     options, [&](Value details) { return read_details(facts, details); });
  }
  if (!status) return fail(status.error());
  return facts;
}

}  // namespace ballast::ganeti
