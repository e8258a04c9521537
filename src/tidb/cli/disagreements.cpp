// SPDX-License-Identifier: BSD-2-Clause
#include "disagreements.hpp"

#include "ballast/core/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ballast::tidb {

namespace {

class Finder {
 public:
  explicit Finder(const Input& input) : input_(input) {
    for (const Component c : kComponents) {
      for (const LiveSet& set : input.live.of(c)) {
        for (const LivePod& pod : set.pods) pods_.insert(pod.name);
      }
    }
  }

  std::vector<report::Finding> find() {
    for (const Component c : kComponents) sets(c);
    for (const std::string& pod : input_.live.pods_without_set)
      say("pod-without-set", "pod {} belongs to no set", pod);
    stores();
    members();
    claims();
    return std::move(findings_);
  }

 private:
  template <class... Parts>
  void say(const char* code, fmt::format_string<Parts...> text, Parts&&... parts) {
    report::Finding finding;
    finding.severity = report::Severity::Warning;
    finding.code = code;
    finding.text = fmt::format(text, std::forward<Parts>(parts)...);
    findings_.push_back(std::move(finding));
  }

  void sets(Component c) {
    const ClusterSpec& spec = input_.desired;
    for (const SetSpec& set : spec.of(c)) {
      const LiveSet* live = input_.live.find(c, set.name);
      if (live == nullptr) {
        if (input_.live.exists)
          say("set-not-running", "{}/{}: StatefulSet {} does not run", name_of(c), set.name,
              set.statefulset);
        continue;
      }
      const std::int64_t target = set.replicas + static_cast<std::int64_t>(live->failures.size());
      if (live->replicas != set.replicas && live->replicas != target) {
        say("replicas-differ", "{}/{}: {} replicas are specified, the StatefulSet has {}",
            name_of(c), set.name, set.replicas, live->replicas);
      }
      if (const auto fields = restart_fields(live->spec, set); !fields.empty()) {
        say("template-differs", "{}/{}: the running template differs in {}", name_of(c), set.name,
            join(fields, ", "));
      }
      if (live->generation_pending)
        say("status-outdated", "{}/{}: the status is older than the StatefulSet", name_of(c),
            set.name);
    }
    for (const LiveSet& live : input_.live.of(c)) {
      if (spec.find(c, live.name) == nullptr)
        say("set-not-specified", "{}: StatefulSet {} runs and is not specified", name_of(c),
            live.statefulset);
    }
  }

  void stores() {
    if (!input_.live.stores_known) return;
    std::set<std::string> with_store;
    for (const Store& store : input_.live.stores) {
      if (store.tiflash || store.state == StoreState::Tombstone) continue;
      with_store.insert(store.pod);
      if (!pods_.contains(store.pod) && !store.peer)
        say("store-without-pod", "store {} ({}) has no pod", store.id, store.pod);
    }
    for (const LiveSet& set : input_.live.of(Component::Tikv)) {
      for (const LivePod& pod : set.pods) {
        if (!with_store.contains(pod.name))
          say("pod-without-store", "pod {} has no store", pod.name);
      }
    }
  }

  void members() {
    if (!input_.live.members_known) return;
    for (const Member& member : input_.live.members) {
      if (!pods_.contains(member.name) && !member.peer)
        say("member-without-pod", "member {} has no pod", member.name);
    }
    for (const LiveSet& set : input_.live.of(Component::Pd)) {
      for (const LivePod& pod : set.pods) {
        if (input_.live.member_of(pod.name) == nullptr)
          say("pod-without-member", "pod {} has no member", pod.name);
      }
    }
  }

  void claims() {
    std::set<std::string> used;
    for (const Component c : kComponents) {
      for (const LiveSet& set : input_.live.of(c)) {
        for (const LivePod& pod : set.pods) {
          for (const std::string& claim_template : set.spec.claim_templates)
            used.insert(claim_name(claim_template, pod.name));
        }
      }
    }
    for (const Claim& claim : input_.live.claims) {
      const bool ours = claim.name.find("-" + input_.desired.name + "-") != std::string::npos;
      if (ours && !used.contains(claim.name))
        say("claim-left-over", "claim {} is left over, {}", claim.name,
            claim.deferred ? "marked for deletion" : "not marked for deletion");
    }
  }

  const Input& input_;
  std::set<std::string> pods_;
  std::vector<report::Finding> findings_;
};

}  // namespace

std::vector<report::Finding> disagreements(const Input& input) { return Finder(input).find(); }

}  // namespace ballast::tidb
