// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/sources/allocator_answer.hpp"

#include "ballast/core/json_string.hpp"

#include <fmt/format.h>

namespace ballast::ganeti::cli {
namespace {

std::string text_json(std::string_view text) {
  return json_string(text, [](std::string& out, char32_t code, std::string_view bytes) {
    if (const std::string_view escape = json_short_escape(code); !escape.empty()) {
      out += escape;
    } else if (code < 0x20) {
      out += json_escape(code);
    } else {
      out += bytes;
    }
  });
}

/// "[a,b]" of elements that are JSON already.
template <class Elements, class Write>
std::string list_json(const Elements& elements, Write write) {
  std::string result = "[";
  for (const auto& element : elements) {
    if (result.size() > 1) result += ',';
    result += write(element);
  }
  return result + ']';
}

class Writer {
 public:
  explicit Writer(const Cluster& cluster) : cluster_(cluster) {}

  std::string operator()(const std::vector<NodeId>& nodes) const {
    return list_json(nodes, [&](NodeId node) { return text_json(cluster_[node].name); });
  }

  std::string operator()(const SecondaryResult& result) const {
    return text_json(cluster_[result.node].name);
  }

  std::string operator()(const MultiAllocateResult& result) const {
    const std::string placed = list_json(result.placed, [&](const PlacedInstance& one) {
      return fmt::format("[{},{}]", text_json(one.name), (*this)(one.nodes));
    });
    return fmt::format("[{},{}]", placed, failed(result.failed));
  }

  std::string operator()(const EvacuateResult& result) const {
    const std::string moved = list_json(result.moved, [&](const MovedInstance& one) {
      return fmt::format("[{},{},{}]", text_json(cluster_[one.instance].name),
                         text_json(cluster_[one.group].name), (*this)(one.nodes));
    });
    const std::string jobs = list_json(result.moved, [&](const MovedInstance& one) {
      const std::string name = text_json(cluster_[one.instance].name);
      return list_json(one.job,
                       [&](const AllocatorOperation& step) { return operation(name, step); });
    });
    return fmt::format("[{},{},{}]", moved, failed(result.failed), jobs);
  }

 private:
  static std::string failed(const std::vector<FailedInstance>& all) {
    return list_json(all, [](const FailedInstance& one) {
      return fmt::format("[{},{}]", text_json(one.name), text_json(one.text));
    });
  }

  std::string operation(const std::string& name, const AllocatorOperation& step) const {
    const std::string target =
        step.target.is_none() ? std::string() : text_json(cluster_[step.target].name);
    const std::string target_key =
        target.empty() ? target : fmt::format("\"target_node\":{},", target);
    switch (step.kind) {
      case AllocatorOperation::Kind::Migrate:
        return fmt::format(
            R"({{"OP_ID":"OP_INSTANCE_MIGRATE","instance_name":{},{}"allow_runtime_changes":false,)"
            R"("ignore_ipolicy":false,"cleanup":false,"allow_failover":true,"ignore_hvversions":true}})",
            name, target_key);
      case AllocatorOperation::Kind::Failover:
        return fmt::format(
            R"({{"OP_ID":"OP_INSTANCE_FAILOVER","instance_name":{},"shutdown_timeout":120,)"
            R"("ignore_consistency":false,{}"ignore_ipolicy":false,"cleanup":false}})",
            name, target_key);
      case AllocatorOperation::Kind::ReplaceSecondary:
        break;
    }
    return fmt::format(
        R"({{"OP_ID":"OP_INSTANCE_REPLACE_DISKS","instance_name":{},"early_release":false,)"
        R"("ignore_ipolicy":false,"mode":"replace_new_secondary","disks":[],"remote_node":{}}})",
        name, target);
  }

  const Cluster& cluster_;
};

std::string line(bool success, const std::string& info, const std::string& result) {
  return fmt::format("{{\"success\":{},\"info\":{},\"result\":{}}}\n", success,
                     text_json((success ? "Request successful: " : "Request failed: ") + info),
                     result);
}

}  // namespace

std::string answer_line(const Cluster& cluster, const AllocatorAnswer& answer) {
  if (!answer.success) return refusal_line(answer.info);
  return line(true, answer.info, std::visit(Writer(cluster), answer.result));
}

std::string refusal_line(const std::string& reason) { return line(false, reason, "[]"); }

}  // namespace ballast::ganeti::cli
