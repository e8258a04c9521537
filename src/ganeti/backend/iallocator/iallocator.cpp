// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/backend/iallocator/iallocator.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"

#include <algorithm>
#include <memory>

#include "ballast/ganeti/backend/objects/cluster_objects.hpp"
#include "ballast/ganeti/backend/objects/storage_objects.hpp"
#include "request.hpp"

namespace ballast::ganeti {
namespace {

using json::Kind;
using json::Value;

/// Visits the members of an object: name, value; stops at the first error.
template <class Visit>
Status for_each_member(Value object, Visit visit) {
  Value at = object.first();
  for (std::uint32_t left = object.size(); left > 0; --left) {
    const Value value = at.after();
    if (auto status = visit(at.text(), value); !status) return status;
    at = value.after();
  }
  return {};
}

class DocumentReader {
 public:
  DocumentReader(Value root, bool ignore_storage)
      : top_{root, "invalid iallocator message", {}}, ignore_storage_(ignore_storage) {}

  Status read() {
    const auto request = top_.need("request", json::to_object);
    if (!request) return fail(request.error());
    request_ = *request;
    if (auto status = read_groups(); !status) return status;
    if (auto status = read_nodes(); !status) return status;
    if (auto status = read_instances(); !status) return status;
    if (auto error = read_into(snapshot_.cluster.tags, top_, "cluster_tags", json::to_strings))
      return fail(std::move(*error));
    return read_hypervisors();
  }

  [[nodiscard]] Value request() const { return request_; }
  [[nodiscard]] Snapshot& snapshot() { return snapshot_; }

 private:
  Status read_groups() {
    const auto object = top_.need("nodegroups", json::to_object);
    if (!object) return fail(object.error());
    std::vector<Group>& groups = snapshot_.cluster.groups;
    return for_each_member(*object, [&](const std::string& uuid, Value value) -> Status {
      auto group = read_group(uuid, value);
      if (!group) return fail(std::move(group.error()));
      group_index_[uuid] = static_cast<std::int32_t>(groups.size());
      groups.push_back(std::move(*group));
      return {};
    });
  }

  Status read_nodes() {
    const auto object = top_.need("nodes", json::to_object);
    if (!object) return fail(object.error());
    std::vector<Node>& nodes = snapshot_.cluster.nodes;
    nodes.reserve(object->size());
    snapshot_.state.nodes.reserve(object->size());
    return for_each_member(*object, [&](const std::string& name, Value value) -> Status {
      auto node = read_node(name, value, group_index_);
      if (!node) return fail(std::move(node.error()));
      if (!ignore_storage_) {
        if (auto status = read_node_storage(*node, value, snapshot_.cluster); !status)
          return status;
      }
      has_storage_ = has_storage_ || node->storage_told;
      node_index_[name] = static_cast<std::int32_t>(nodes.size());
      snapshot_.state.nodes.push_back(initial_state(*node));
      nodes.push_back(std::move(*node));
      return {};
    });
  }

  Status read_instances() {
    const auto object = top_.need("instances", json::to_object);
    if (!object) return fail(object.error());
    std::vector<Instance>& instances = snapshot_.cluster.instances;
    instances.reserve(object->size());
    snapshot_.state.placements.reserve(object->size());
    return for_each_member(*object, [&](const std::string& name, Value value) -> Status {
      if (!value.is(Kind::Object)) return fail("not an object");
      auto instance = read_instance(name, value);
      if (!instance) return fail(std::move(instance.error()));
      const auto placement = read_placement(name, value, node_index_);
      if (!placement) return fail(placement.error());
      if (has_storage_) {
        if (auto status = read_disk_units(*instance, value, snapshot_.cluster); !status)
          return status;
      }
      instances.push_back(std::move(*instance));
      snapshot_.state.placements.push_back(*placement);
      return {};
    });
  }

  Status read_hypervisors() {
    const auto list = top_.need("enabled_hypervisors", json::to_list);
    if (!list) return fail(list.error());
    std::string first;
    Value element = list->first();
    for (std::uint32_t i = 0; i < list->size(); ++i, element = element.after()) {
      const auto hypervisor = to_hypervisor(element);
      if (!hypervisor)
        return fail(top_.worded(json::at_key("enabled_hypervisors", hypervisor.error())));
      if (i == 0) first = *hypervisor;
    }
    for (Node& node : snapshot_.cluster.nodes) node.hypervisor = first;
    return {};
  }

  Owned top_;
  bool ignore_storage_;
  bool has_storage_ = false;
  Value request_;
  IndexByName group_index_;
  IndexByName node_index_;
  Snapshot snapshot_;
};

/// The request's tags become symbols before the pipeline numbers them, so that new instances can be
/// held against nodes.
void note_tags(Value request, std::vector<std::string>& symbols) {
  const auto note = [&](Value object) {
    const Value tags = object.member("tags");
    if (tags.is_missing()) return;
    const auto texts = json::to_strings(tags);
    if (texts) symbols.insert(symbols.end(), texts->begin(), texts->end());
  };
  note(request);
  const Value instances = request.member("instances");
  if (!instances.is_missing() && instances.is(Kind::Array)) {
    Value element = instances.first();
    for (std::uint32_t left = instances.size(); left > 0; --left, element = element.after()) {
      if (element.is(Kind::Object)) note(element);
    }
  }
  std::sort(symbols.begin(), symbols.end());
  symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
}

}  // namespace

Result<IallocatorDocument> read_iallocator(std::string text, const IallocatorOptions& options) {
  auto document = json::Document::parse(std::move(text));
  constexpr std::string_view kPrefix = "Parsing input IAllocator message: ";
  if (!document) {
    if (document.error().message == json::kBadBytes) return fail(document.error());
    return fail(std::string(kPrefix) + document.error().message);
  }
  if (const auto object = json::to_object((*document)->root()); !object) {
    return fail(std::string(kPrefix) + object.error().message);
  }
  DocumentReader reader((*document)->root(), options.ignore_storage);
  if (const auto status = reader.read(); !status) return fail(status.error());
  IallocatorDocument result;
  result.snapshot = std::move(reader.snapshot());
  note_tags(reader.request(), result.snapshot.cluster.symbols);
  PipelineOptions pipeline;
  pipeline.static_kvm_memory = options.static_kvm_memory;
  pipeline.default_storage = options.default_storage;
  pipeline.corrected_n1 = options.corrected_n1;
  pipeline.ignore_storage = options.ignore_storage;
  auto warnings = run_pipeline(result.snapshot, pipeline);
  if (!warnings) return fail(warnings.error());
  result.warnings = std::move(*warnings);
  auto request =
      RequestReader(result.snapshot.cluster, options.tells_near_names).read(reader.request());
  if (!request) return fail(request.error());
  result.request = std::move(*request);
  const std::shared_ptr<json::Document> kept = std::move(*document);
  result.resolve_disks = [kept, described = reader.request(), defaults = options.default_storage](
                             Cluster& cluster, Request& wanted) {
    return resolve_request_disks(described, cluster, defaults, wanted);
  };
  if (options.is_replaced) return result;
  if (auto status = result.resolve_disks(result.snapshot.cluster, result.request); !status)
    return fail(status.error());
  return result;
}

}  // namespace ballast::ganeti
