// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/backend/luxi/luxi.hpp"

#include <fmt/format.h>

#include "reader.hpp"

namespace ballast::ganeti {

Result<LuxiAnswers> fetch_luxi(LuxiClient& client, bool ignore_storage) {
  LuxiAnswers answers;
  const auto ask = [&](std::string& target, const std::string& request) -> Status {
    auto answer = client.call(request);
    if (!answer) return fail(std::move(answer.error()));
    target = std::move(*answer);
    return {};
  };
  Status status = ask(answers.nodes, node_query(ignore_storage));
  if (status) status = ask(answers.instances, instance_query());
  if (status) status = ask(answers.cluster, R"({"method":"QueryClusterInfo","args":[]})");
  if (status) status = ask(answers.groups, group_query());
  if (!status) return fail(std::move(status.error()));
  return answers;
}

namespace {

/// Reads each row of a query's answer.
template <class Read>
Status read_rows(std::string answer, Read read) {
  const auto reply = parse_luxi_reply(std::move(answer));
  if (!reply) return fail(reply.error());
  const auto rows = luxi_rows(reply->result);
  if (!rows) return fail(rows.error());
  for (const LuxiRow& row : *rows) {
    if (auto status = read(row); !status) return status;
  }
  return {};
}

}  // namespace

Result<Snapshot> read_luxi(LuxiAnswers answers, bool ignore_storage) {
  LuxiReader reader(ignore_storage);
  Status status = read_rows(std::move(answers.groups),
                            [&](const LuxiRow& row) { return reader.read_group(row); });
  if (status) {
    status = read_rows(std::move(answers.nodes),
                       [&](const LuxiRow& row) { return reader.read_node(row); });
  }
  if (status) {
    status = read_rows(std::move(answers.instances),
                       [&](const LuxiRow& row) { return reader.read_instance(row); });
  }
  if (!status) return fail(std::move(status.error()));
  const auto cluster = parse_luxi_reply(std::move(answers.cluster));
  if (!cluster) return fail(cluster.error());
  status = reader.read_cluster(cluster->result);
  if (!status) return fail(std::move(status.error()));
  return reader.take();
}

}  // namespace ballast::ganeti
