// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/backend/pd_dump.hpp"

#include "ballast/tidb/backend/canonical.hpp"
#include "ballast/tidb/backend/pd_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace ballast::tidb {

namespace {

using doc::Tree;

class PdReader {
 public:
  explicit PdReader(Diagnostics& errors) : errors_(errors) {}

  void read(const SourceText& source) {
    const auto documents = parse_source(source, kExpected, errors_);
    if (!documents) return;
    for (const Tree& document : *documents) read_document(document, source.file);
  }

  PdData take() {
    std::ranges::sort(data_.stores, {}, &Store::id);
    std::ranges::sort(data_.members, {}, &Member::name);
    return std::move(data_);
  }

 private:
  static constexpr std::string_view kExpected =
      "what pd-ctl prints for store, member, health or config show was expected";

  void unknown(const Tree& node, const std::string& file) {
    errors_.add("E015", "-", fmt::format("unknown content: {}", kExpected),
                node.place().file.empty() ? Place{file, 1, 1} : node.place());
  }

  void read_document(const Tree& document, const std::string& file) {
    if (const Tree* stores = document.find("stores"); stores != nullptr && stores->is_list()) {
      data_.has_stores = true;
      for (const Tree& item : stores->items()) store(item);
    } else if (const Tree* members = document.find("members");
               members != nullptr && members->is_list()) {
      data_.has_members = true;
      for (const Tree& item : members->items()) member(item, false);
      data_.leader = text_of(document.at({"leader", "name"}));
    } else if (document.is_list() && !document.items().empty() &&
               document.items().front().find("health") != nullptr) {
      data_.has_health = true;
      for (const Tree& item : document.items()) member(item, true);
    } else if (document.find("replication") != nullptr || document.find("schedule") != nullptr ||
               document.find("max-replicas") != nullptr) {
      config(document);
    } else {
      unknown(document, file);
    }
  }

  void config(const Tree& document) {
    const Replication replication = read_replication(document);
    if (replication.max_replicas && *replication.max_replicas > 0)
      data_.max_replicas = replication.max_replicas;
    if (!replication.location_labels.empty()) data_.location_labels = replication.location_labels;
    const Tree* ratio = document.at({"schedule", "low-space-ratio"});
    if (ratio != nullptr) data_.low_space_ratio = ratio->as_double();
    if (const Tree* down = document.at({"schedule", "max-store-down-time"}))
      data_.max_store_down_s = duration_seconds(text_of(down));
  }

  void store(const Tree& item) {
    const Tree* inner = item.find("store");
    const auto id = id_of(inner == nullptr ? nullptr : inner->find("id"));
    if (!id) {
      errors_.add("E015", "stores", "a store without an id", item.place());
      return;
    }
    Store store;
    store.id = *id;
    const std::string address = text_of(inner->find("address"));
    store.pod = address.substr(0, address.find('.'));
    const auto state = store_state_named(text_of(inner->find("state_name")));
    if (!state) {
      errors_.add("E015", "stores",
                  fmt::format("store {}: state {} is not known", *id,
                              quoted(text_of(inner->find("state_name")))),
                  inner->place());
      return;
    }
    store.state = *state;
    labels(*inner, store);
    status(item, store);
    same_or_add(std::move(store), item.place());
  }

  static void labels(const Tree& inner, Store& store) {
    const Tree* labels = inner.find("labels");
    if (labels == nullptr || !labels->is_list()) return;
    for (const Tree& label : labels->items()) {
      store.labels[text_of(label.find("key"))] = text_of(label.find("value"));
    }
    const auto engine = store.labels.find("engine");
    store.tiflash = engine != store.labels.end() && engine->second == "tiflash";
  }

  void status(const Tree& item, Store& store) {
    const Tree* status = item.find("status");
    if (status == nullptr) return;
    const auto number = [&](std::string_view key) -> std::optional<std::int64_t> {
      return whole_number(status->find(key), fmt::format("stores.status.{}", key), errors_);
    };
    store.leaders = number("leader_count");
    store.regions = number("region_count");
    store.capacity_bytes = pd_size(text_of(status->find("capacity")));
    store.available_bytes = pd_size(text_of(status->find("available")));
    store.used_bytes = pd_size(text_of(status->find("used_size")));
    store.since = time_of(status->find("last_heartbeat_ts"));
    if (store.since) data_.newest = std::max(data_.newest, *store.since);
  }

  void same_or_add(Store store, const Place& place) {
    const auto old = std::ranges::find(data_.stores, store.id, &Store::id);
    if (old == data_.stores.end()) {
      data_.stores.push_back(std::move(store));
    } else if (old->state != store.state || old->pod != store.pod ||
               old->leaders != store.leaders) {
      errors_.add("E015", "stores",
                  fmt::format("store {} is given twice, with different content", store.id), place);
    }
  }

  void member(const Tree& item, bool is_health) {
    const std::string name = text_of(item.find("name"));
    const auto id = known_id(item.find("member_id"), "members.member_id", errors_);
    if (name.empty()) return nameless(item, id);
    auto old = std::ranges::find(data_.members, name, &Member::name);
    if (old == data_.members.end()) {
      Member fresh;
      fresh.name = name;
      fresh.id = id.value_or(0);
      data_.members.push_back(std::move(fresh));
      old = std::prev(data_.members.end());
    } else if (id && old->id != 0 && old->id != *id) {
      errors_.add("E015", "members",
                  fmt::format("member {} is given twice, with different ids", quoted(name)),
                  item.place());
    }
    if (!is_health) return;
    const Tree* health = item.find("health");
    old->healthy = health != nullptr && health->as_bool() == true;
  }

  /// PD lists a member from the moment it is added, and names it once it has started.
  void nameless(const Tree& item, std::optional<std::uint64_t> id) {
    if (!id) {
      errors_.add("E015", "members", "a member with neither name nor id", item.place());
      return;
    }
    const std::string subject = fmt::format("member {}", *id);
    if (std::ranges::find(data_.remarks, subject, &Remark::subject) != data_.remarks.end()) return;
    std::string host;
    if (const Tree* urls = item.find("peer_urls");
        urls != nullptr && urls->is_list() && !urls->items().empty()) {
      host = text_of(&urls->items().front());
      host.erase(0, host.find("://") == std::string::npos ? 0 : host.find("://") + 3);
      host = host.substr(0, host.find_first_of(".:/"));
    }
    data_.remarks.push_back(
        {"W-MEMBER-NAMELESS", subject,
         fmt::format(
             "PD lists it without a name{}: it was added and has not started. It is left out "
             "here, as the operator leaves it out, but PD counts it for its majority. If it "
             "does not start soon: pd-ctl member delete id {}",
             host.empty() ? "" : fmt::format(", at {}", host), *id)});
  }

  Diagnostics& errors_;
  PdData data_;
};

}  // namespace

std::optional<std::int64_t> pd_size(std::string_view text) {
  double number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number < 0) return std::nullopt;
  std::string_view unit = text.substr(static_cast<std::size_t>(stop - text.data()));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  static constexpr std::array kUnits{std::string_view{"B"},   std::string_view{"KiB"},
                                     std::string_view{"MiB"}, std::string_view{"GiB"},
                                     std::string_view{"TiB"}, std::string_view{"PiB"}};
  double factor = 1;
  for (const std::string_view known : kUnits) {
    const double bytes = number * factor;
    if (unit == known || (unit.empty() && factor == 1)) {
      if (bytes > 9e18) return std::nullopt;
      return static_cast<std::int64_t>(bytes);
    }
    factor *= 1024;
  }
  return std::nullopt;
}

PdData read_pd(const std::vector<SourceText>& sources, Diagnostics& errors) {
  PdReader reader(errors);
  for (const SourceText& source : sources) reader.read(source);
  return reader.take();
}

}  // namespace ballast::tidb
