// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/backend/objects/dictionary.hpp"
#include "ballast/ganeti/backend/objects/object_reader.hpp"

namespace ballast::ganeti {
namespace {

using json::Dictionary;
using json::list_of;
using json::Value;

Result<InstanceSpec> to_spec(Value value) {
  if (auto object = json::to_object(value); !object) return fail(std::move(object.error()));
  InstanceSpec spec;
  auto error = Dictionary(value)
                   .read(spec.memory_mib, "memory-size", json::to_int)
                   .read(spec.cpu_count, "cpu-count", json::to_int)
                   .read(spec.disk_mib, "disk-size", json::to_int)
                   .read(spec.disk_count, "disk-count", json::to_int)
                   .read(spec.nic_count, "nic-count", json::to_int)
                   .read(spec.spindle_use, "spindle-use", json::to_int)
                   .finish();
  if (error) return fail(std::move(*error));
  return spec;
}

Result<SpecRange> to_range(Value value) {
  if (auto object = json::to_object(value); !object) return fail(std::move(object.error()));
  SpecRange range;
  if (auto error = Dictionary(value)
                       .read(range.min, "min", to_spec)
                       .read(range.max, "max", to_spec)
                       .finish()) {
    return fail(std::move(*error));
  }
  return range;
}

}  // namespace

Result<InstancePolicy> to_instance_policy(Value value) {
  if (auto object = json::to_object(value); !object) return fail(std::move(object.error()));
  InstancePolicy policy;
  auto error = Dictionary(value)
                   .read(policy.ranges, "minmax", list_of(to_range))
                   .read(policy.standard, "std", to_spec)
                   .read(policy.disk_templates, "disk-templates", list_of(to_disk_template))
                   .read(policy.vcpu_ratio, "vcpu-ratio", json::to_double)
                   .read(policy.spindle_ratio, "spindle-ratio", json::to_double)
                   .finish();
  if (error) return fail(std::move(*error));
  return policy;
}

}  // namespace ballast::ganeti
