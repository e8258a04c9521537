// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "ballast/core/strings.hpp"
#include "iallocator_objects.hpp"

namespace ballast::ganeti {
namespace {

using json::Kind;
using json::Value;

/// A dictionary that must hold exactly the keys asked for: values first, then nothing may be left
/// over.
class Dictionary {
 public:
  explicit Dictionary(Value object) : object_(object) {}

  template <class Target, class Convert>
  Dictionary& read(Target& target, std::string_view key, Convert convert) {
    allowed_.emplace_back(key);
    if (error_) return *this;
    const auto found = json::required(object_, key);
    if (!found) {
      error_ = found.error();
      return *this;
    }
    auto value = convert(*found);
    if (value) {
      target = std::move(*value);
    } else {
      error_ = Error{"Can't parse value for '" + std::string(key) + "': " + value.error().message,
                     {},
                     Fault::Input};
    }
    return *this;
  }

  /// The first error; superfluous keys come last.
  MaybeError finish() {
    if (error_) return std::move(error_);
    std::sort(allowed_.begin(), allowed_.end());
    std::vector<std::string> extra;
    Value at = object_.first();
    for (std::uint32_t left = object_.size(); left > 0; --left, at = at.after().after()) {
      std::string key = at.text();
      if (!std::binary_search(allowed_.begin(), allowed_.end(), key))
        extra.push_back(std::move(key));
    }
    if (extra.empty()) return std::nullopt;
    std::sort(extra.begin(), extra.end());
    extra.erase(std::unique(extra.begin(), extra.end()), extra.end());
    return Error{"Superfluous dictionary keys: " + shown_list(extra) + ", but only " +
                     shown_list(allowed_) + " allowed.",
                 {},
                 Fault::Input};
  }

 private:
  Value object_;
  std::vector<std::string> allowed_;
  MaybeError error_;
};

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

template <class Element>
auto list_of(Result<Element> (*convert)(Value)) {
  return [convert](Value value) -> Result<std::vector<Element>> {
    if (!value.is(Kind::Array)) return fail("Unable to read list");
    std::vector<Element> result;
    Value element = value.first();
    for (std::uint32_t left = value.size(); left > 0; --left, element = element.after()) {
      auto converted = convert(element);
      if (!converted) return fail(std::move(converted.error()));
      result.push_back(std::move(*converted));
    }
    return result;
  };
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
