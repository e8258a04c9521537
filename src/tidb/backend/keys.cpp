// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/backend/keys.hpp"
#include "ballast/core/words.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace ballast::tidb {

namespace {

struct Key {
  std::string_view name;
  KeyUse use;
};

constexpr std::array kShared{
    Key{"replicas", KeyUse::Plain},
    Key{"name", KeyUse::Plain},
    Key{"extra", KeyUse::Plain},
    Key{"image", KeyUse::Image},
    Key{"imagePullPolicy", KeyUse::Template},
    Key{"affinity", KeyUse::Template},
    Key{"nodeSelector", KeyUse::Template},
    Key{"tolerations", KeyUse::Template},
    Key{"annotations", KeyUse::Template},
    Key{"config", KeyUse::Config},
    Key{"preStartScript", KeyUse::Config},
    Key{"storageClassName", KeyUse::Storage},
    Key{"service", KeyUse::Service},
    Key{"maxFailoverCount", KeyUse::Plain},
    Key{"privileged", KeyUse::Template},
    Key{"separateSlowLog", KeyUse::Template},
    Key{"slowLogTailer", KeyUse::Template},
    Key{"plugin", KeyUse::Template},
    Key{"passwordSecretName", KeyUse::Plain},
    Key{"initSql", KeyUse::Plain},
};

constexpr std::array kValuesOnly{
    Key{"resources", KeyUse::Resources},
    // Keys of older charts, which put them into the configuration.
    Key{"logLevel", KeyUse::Config},
    Key{"maxReplicas", KeyUse::Config},
    Key{"syncLog", KeyUse::Config},
    Key{"maxStoreDownTime", KeyUse::Config},
    Key{"permitHost", KeyUse::Plain},
    Key{"allowedHosts", KeyUse::Plain},
    Key{"initializer", KeyUse::Plain},
    Key{"monitor", KeyUse::Plain},
    Key{"rocksdb", KeyUse::Config},
    Key{"schedulerName", KeyUse::Template},
    Key{"extraArgs", KeyUse::Template},
};

constexpr std::array kObjectOnly{
    Key{"requests", KeyUse::Resources},
    Key{"limits", KeyUse::Resources},
    Key{"claims", KeyUse::Template},
    Key{"baseImage", KeyUse::Image},
    Key{"version", KeyUse::Image},
    Key{"recoverFailover", KeyUse::Plain},
    Key{"failover", KeyUse::Plain},
    Key{"evictLeaderTimeout", KeyUse::Plain},
    Key{"waitLeaderTransferBackTimeout", KeyUse::Plain},
    Key{"scalePolicy", KeyUse::Plain},
    Key{"storeLabels", KeyUse::Plain},
    Key{"serverLabels", KeyUse::Plain},
    Key{"storageVolumes", KeyUse::Storage},
    Key{"dataSubDir", KeyUse::Storage},
    Key{"configUpdateStrategy", KeyUse::Plain},
    Key{"statefulSetUpdateStrategy", KeyUse::Plain},
    Key{"podManagementPolicy", KeyUse::Plain},
    Key{"suspendAction", KeyUse::Plain},
    Key{"labels", KeyUse::Template},
    Key{"env", KeyUse::Template},
    Key{"envFrom", KeyUse::Template},
    Key{"priorityClassName", KeyUse::Template},
    Key{"hostNetwork", KeyUse::Template},
    Key{"topologySpreadConstraints", KeyUse::Template},
    Key{"schedulerName", KeyUse::Template},
    Key{"imagePullSecrets", KeyUse::Template},
    Key{"serviceAccount", KeyUse::Template},
    Key{"podSecurityContext", KeyUse::Template},
    Key{"additionalContainers", KeyUse::Template},
    Key{"additionalVolumes", KeyUse::Template},
    Key{"additionalVolumeMounts", KeyUse::Template},
    Key{"initContainers", KeyUse::Template},
    Key{"terminationGracePeriodSeconds", KeyUse::Template},
    Key{"dnsConfig", KeyUse::Template},
    Key{"dnsPolicy", KeyUse::Template},
    Key{"readinessProbe", KeyUse::Template},
    Key{"lifecycle", KeyUse::Template},
    Key{"tlsClient", KeyUse::Template},
    Key{"tlsClientSecretName", KeyUse::Template},
    Key{"tlsCluster", KeyUse::Template},
    Key{"mountClusterClientSecret", KeyUse::Template},
    Key{"enableDashboardInternalProxy", KeyUse::Template},
    Key{"slowLogVolumeName", KeyUse::Template},
    Key{"separateRocksDBLog", KeyUse::Template},
    Key{"separateRaftLog", KeyUse::Template},
    Key{"rocksDBLogVolumeName", KeyUse::Template},
    Key{"raftLogVolumeName", KeyUse::Template},
    Key{"logTailer", KeyUse::Template},
    Key{"binlogEnabled", KeyUse::Template},
    Key{"bindMode", KeyUse::Template},
    Key{"startUpScriptVersion", KeyUse::Template},
    Key{"arguments", KeyUse::Template},
    Key{"initWaitTime", KeyUse::Template},
    Key{"initializer", KeyUse::Plain},
    Key{"customizedStartupProbe", KeyUse::Template},
    Key{"startupProbe", KeyUse::Template},
    Key{"mode", KeyUse::Template},
    Key{"spareVolReplaceReplicas", KeyUse::Plain},
    Key{"tokenBasedAuthEnabled", KeyUse::Template},
};

constexpr std::array kClusterShared{
    std::string_view{"pd"},       std::string_view{"tikv"},
    std::string_view{"tidb"},     std::string_view{"schedulerName"},
    std::string_view{"timezone"}, std::string_view{"pvReclaimPolicy"},
    std::string_view{"services"}, std::string_view{"discovery"},
};

constexpr std::array kClusterValues{
    std::string_view{"clusterName"},     std::string_view{"enableConfigMapRollout"},
    std::string_view{"extraLabels"},     std::string_view{"rbac"},
    std::string_view{"mysqlClient"},     std::string_view{"metaInstance"},
    std::string_view{"metaType"},        std::string_view{"metaValue"},
    std::string_view{"fullbackup"},      std::string_view{"tidbPassword"},
    std::string_view{"nodeSelector"},    std::string_view{"tolerations"},
    std::string_view{"restore"},         std::string_view{"enableTLSCluster"},
    std::string_view{"enableTLSClient"}, std::string_view{"privilegedTidb"},
    std::string_view{"haTopologyKey"},
};

constexpr std::array kClusterObject{
    std::string_view{"pds"},
    std::string_view{"tikvs"},
    std::string_view{"tidbs"},
    std::string_view{"version"},
    std::string_view{"paused"},
    std::string_view{"recoveryMode"},
    std::string_view{"cluster"},
    std::string_view{"enablePVReclaim"},
    std::string_view{"enablePVCReplace"},
    std::string_view{"nodeSelector"},
    std::string_view{"annotations"},
    std::string_view{"labels"},
    std::string_view{"tolerations"},
    std::string_view{"affinity"},
    std::string_view{"configUpdateStrategy"},
    std::string_view{"statefulSetUpdateStrategy"},
    std::string_view{"podManagementPolicy"},
    std::string_view{"imagePullPolicy"},
    std::string_view{"imagePullSecrets"},
    std::string_view{"hostNetwork"},
    std::string_view{"priorityClassName"},
    std::string_view{"helper"},
    std::string_view{"enableDynamicConfiguration"},
    std::string_view{"tlsCluster"},
    std::string_view{"clusterDomain"},
    std::string_view{"acrossK8s"},
    std::string_view{"topologySpreadConstraints"},
    std::string_view{"suspendAction"},
    std::string_view{"preferIPv6"},
    std::string_view{"startScriptVersion"},
    std::string_view{"podSecurityContext"},
    std::string_view{"serviceAccount"},
    std::string_view{"pdAddresses"},
    std::string_view{"podManagementPolicies"},
    std::string_view{"startScriptV2FeatureFlags"},
};

constexpr std::array kOthers{
    std::string_view{"tiflash"},   std::string_view{"tiproxy"},
    std::string_view{"pump"},      std::string_view{"ticdc"},
    std::string_view{"drainer"},   std::string_view{"binlog"},
    std::string_view{"monitor"},   std::string_view{"importer"},
    std::string_view{"lightning"}, std::string_view{"tiDashboard"},
    std::string_view{"pdms"},      std::string_view{"scheduledBackup"},
};

bool contains(const auto& keys, std::string_view key) {
  return std::ranges::find(keys, key) != keys.end();
}

std::optional<KeyUse> use_in(const auto& keys, std::string_view key) {
  const auto found = std::ranges::find(keys, key, &Key::name);
  if (found == keys.end()) return std::nullopt;
  return found->use;
}

std::optional<std::string> nearest(std::string_view key, std::vector<std::string_view> known) {
  std::ranges::sort(known);
  const auto found = ballast::nearest(key, known);
  return found ? std::optional<std::string>(*found) : std::nullopt;
}

}  // namespace

namespace {

/// Keys that not every component has.
struct OwnKey {
  std::string_view name;
  bool pd;
  bool tikv;
  bool tidb;
};
constexpr std::array kOwn{
    OwnKey{"recoverFailover", false, true, false},
    OwnKey{"failover", false, true, false},
    OwnKey{"evictLeaderTimeout", false, true, false},
    OwnKey{"waitLeaderTransferBackTimeout", false, true, false},
    OwnKey{"storeLabels", false, true, false},
    OwnKey{"separateRocksDBLog", false, true, false},
    OwnKey{"separateRaftLog", false, true, false},
    OwnKey{"rocksDBLogVolumeName", false, true, false},
    OwnKey{"raftLogVolumeName", false, true, false},
    OwnKey{"logTailer", false, true, false},
    OwnKey{"scalePolicy", false, true, true},
    OwnKey{"binlogEnabled", false, false, true},
    OwnKey{"tlsClient", false, false, true},
    OwnKey{"tokenBasedAuthEnabled", false, false, true},
    OwnKey{"slowLogVolumeName", false, false, true},
    OwnKey{"customizedStartupProbe", false, false, true},
    OwnKey{"enableDashboardInternalProxy", true, false, false},
    OwnKey{"dataSubDir", true, true, false},
    OwnKey{"spareVolReplaceReplicas", true, true, false},
};

bool has_key(Component component, std::string_view key) {
  const auto own = std::ranges::find(kOwn, key, &OwnKey::name);
  if (own == kOwn.end()) return true;
  return component == Component::Pd     ? own->pd
         : component == Component::Tikv ? own->tikv
                                        : own->tidb;
}

}  // namespace

std::optional<KeyUse> component_key_use(std::string_view key, bool values, Component component) {
  if (!values && !has_key(component, key)) return std::nullopt;
  if (const auto use = use_in(kShared, key)) return use;
  return values ? use_in(kValuesOnly, key) : use_in(kObjectOnly, key);
}

bool is_component_key(std::string_view key, bool values, Component component) {
  return component_key_use(key, values, component).has_value();
}

bool is_cluster_key(std::string_view key, bool values) {
  if (contains(kClusterShared, key) || contains(kOthers, key)) return true;
  return values ? contains(kClusterValues, key) : contains(kClusterObject, key);
}

bool is_other_component(std::string_view key) { return contains(kOthers, key); }

std::optional<std::string> nearest_component_key(std::string_view key, bool values,
                                                 Component component) {
  std::vector<std::string_view> known;
  for (const Key& k : kShared) known.push_back(k.name);
  if (values) {
    for (const Key& k : kValuesOnly) known.push_back(k.name);
  } else {
    for (const Key& k : kObjectOnly) {
      if (has_key(component, k.name)) known.push_back(k.name);
    }
  }
  return nearest(key, std::move(known));
}

std::optional<std::string> nearest_cluster_key(std::string_view key, bool values) {
  std::vector<std::string_view> known(kClusterShared.begin(), kClusterShared.end());
  known.insert(known.end(), kOthers.begin(), kOthers.end());
  if (values) {
    known.insert(known.end(), kClusterValues.begin(), kClusterValues.end());
  } else {
    known.insert(known.end(), kClusterObject.begin(), kClusterObject.end());
  }
  return nearest(key, std::move(known));
}

}  // namespace ballast::tidb
