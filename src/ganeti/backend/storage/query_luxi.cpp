// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "answers.hpp"
#include "ballast/ganeti/backend/luxi/reply.hpp"
#include "job_wait.hpp"

namespace ballast::ganeti {
namespace {

using json::Value;
using Json = nlohmann::ordered_json;

Result<LuxiReply> ask(LuxiClient& client, std::string_view method, Json arguments) {
  Json message = Json::object();
  message["method"] = std::string(method);
  message["args"] = std::move(arguments);
  auto answer = client.call(message.dump());
  if (!answer) return fail(std::move(answer.error()));
  return parse_luxi_reply(std::move(*answer));
}

/// Submits one operation and gives its result to `read`.
template <class Read>
Status run_job(LuxiClient& client, Json operation, std::chrono::seconds timeout, Read read) {
  operation["debug_level"] = 0;
  operation["priority"] = 0;
  operation["dry_run"] = false;
  operation["reason"] = Json::array();
  const auto submitted = ask(client, "SubmitJob", Json::array({Json::array({operation})}));
  if (!submitted) return fail(submitted.error());
  const auto id = json::to_int(submitted->result);
  if (!id) return fail("submitting a query job: no job number: " + json::pretty(submitted->result));
  const std::string job = std::to_string(*id);
  return wait_for_job(job, timeout, [&]() -> Result<bool> {
    const auto reply = ask(client, "QueryJobs",
                           Json::array({Json::array({*id}), Json::array({"status", "opresult"})}));
    if (!reply) return fail(reply.error());
    const Value rows = reply->result;
    if (!rows.is(json::Kind::Array) || rows.size() != 1 || !rows.first().is(json::Kind::Array) ||
        rows.first().size() != 2)
      return fail(fmt::format("job {}: unknown to the master", job));
    const Value status = rows.first().first();
    const auto result = job_result(status, status.after(), job);
    if (!result) return fail(result.error());
    if (!*result) return false;
    if (auto done = read(**result); !done) return fail(std::move(done.error()));
    return true;
  });
}

Json node_query(const Json& nodes, const std::string& type) {
  Json operation = Json::object();
  operation["OP_ID"] = "OP_NODE_QUERY_STORAGE";
  operation["nodes"] = nodes;
  operation["storage_type"] = type;
  operation["output_fields"] = Json::array({"node", "name", "size", "free"});
  operation["name"] = nullptr;
  return operation;
}

Json instance_query() {
  Json operation = Json::object();
  operation["OP_ID"] = "OP_INSTANCE_QUERY_DATA";
  operation["instances"] = Json::array();
  operation["static"] = true;
  operation["use_locking"] = false;
  return operation;
}

}  // namespace

Result<StorageFacts> query_storage(LuxiClient& client, const Cluster& cluster,
                                   std::chrono::seconds timeout) {
  StorageFacts facts;
  const auto info = ask(client, "QueryClusterInfo", Json::array());
  if (!info) return fail(info.error());
  if (auto status = read_templates(facts, info->result); !status) return fail(status.error());
  Json nodes = Json::array();
  for (const Node& node : cluster.nodes) {
    if (!node.is_offline) nodes.push_back(node.name);
  }
  for (const std::string& type : queried_types(facts)) {
    if (nodes.empty()) break;  // an empty list would mean all
    const auto status = run_job(client, node_query(nodes, type), timeout, [&](Value rows) {
      return read_places(facts, type, rows, std::nullopt);
    });
    if (!status) return fail(status.error());
  }
  const auto status = run_job(client, instance_query(), timeout,
                              [&](Value details) { return read_details(facts, details); });
  if (!status) return fail(status.error());
  return facts;
}

}  // namespace ballast::ganeti
