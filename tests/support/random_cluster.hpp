// SPDX-License-Identifier: BSD-2-Clause
// Random small clusters of all kinds as text snapshots, built of lines that can be taken away one
// by one.
#pragma once

#include <string>
#include <vector>

#include "ballast/core/random.hpp"

namespace ballast::test {

struct RandomCluster {
  std::vector<std::string> nodes;
  std::vector<std::string> instances;
  std::vector<std::string> tags;
  std::vector<std::string> loads;  ///< lines of a utilisation file

  [[nodiscard]] std::string text() const {
    std::string text = "g|uuid-g|preferred||\n\n";
    for (const std::string& line : nodes) text += line + "\n";
    text += "\n";
    for (const std::string& line : instances) text += line + "\n";
    text += "\n";
    for (const std::string& line : tags) text += line + "\n";
    return text +
           "\n|128,1,1024,1,1,1|128,1,1024,1,1,1;32768,8,1048576,16,8,12|drbd,plain|4.0|32.0\n";
  }
  [[nodiscard]] std::string load_text() const {
    std::string text;
    for (const std::string& line : loads) text += line + "\n";
    return text;
  }
};

class ClusterGenerator {
 public:
  explicit ClusterGenerator(std::uint64_t seed) : rnd_(seed) {}

  RandomCluster make() {
    node_count_ = rnd_.between(2, rnd_.chance(20) ? 16 : 7);
    const std::int64_t instances = rnd_.between(1, node_count_ * (rnd_.chance(20) ? 4 : 2));
    has_storage_ = rnd_.chance(30);
    has_exclusive_ = rnd_.chance(8);
    has_exclusions_ = rnd_.chance(30);
    has_locations_ = rnd_.chance(20);
    has_migration_ = rnd_.chance(15);
    has_forthcoming_ = rnd_.chance(15);
    has_odd_states_ = rnd_.chance(40);
    has_equal_nodes_ = rnd_.chance(40);
    is_tight_ = rnd_.chance(40);
    offline_percent_ = rnd_.chance(30) ? 30 : 0;
    used_.assign(static_cast<std::size_t>(node_count_), {});
    RandomCluster cluster;
    for (std::int64_t i = 0; i < instances; ++i) cluster.instances.push_back(instance_line(i));
    for (std::int64_t i = 0; i < node_count_; ++i) cluster.nodes.push_back(node_line(i));
    if (has_exclusions_) cluster.tags.push_back("htools:iextags:x");
    if (has_locations_) {
      cluster.tags.push_back("htools:nlocation:l");
      cluster.tags.push_back("htools:desiredlocation:l");
    }
    if (has_migration_) {
      cluster.tags.push_back("htools:migration:m");
      cluster.tags.push_back("htools:allowmigration:m:0::m:1");
    }
    if (rnd_.chance(30)) {
      for (std::int64_t i = 0; i < instances; ++i) cluster.loads.push_back(load_line(i));
    }
    return cluster;
  }

 private:
  struct Used {
    std::int64_t memory = 0;
    std::int64_t disk = 0;
    std::int64_t units[3] = {0, 0, 0};
  };

  std::string number(std::int64_t value) { return std::to_string(value); }
  std::string pick(std::initializer_list<const char*> texts) {
    return *(texts.begin() + static_cast<std::ptrdiff_t>(rnd_.below(texts.size())));
  }

  std::string status() {
    if (!has_odd_states_ || rnd_.chance(60)) return "running";
    return pick({"ADMIN_down", "ADMIN_offline", "ERROR_down", "ERROR_up", "ERROR_nodedown",
                 "USER_down", "running"});
  }

  std::string load_line(std::int64_t index) {
    std::string line = "i" + number(index);
    for (int k = 0; k < 4; ++k)
      line += " " + number(rnd_.between(0, 5)) + "." + number(rnd_.between(0, 999));
    return line;
  }

  std::string instance_tags() {
    std::string tags;
    const auto add = [&](const std::string& tag) { tags += (tags.empty() ? "" : ",") + tag; };
    if (has_exclusions_ && rnd_.chance(50)) add("x:" + number(rnd_.between(0, 3)));
    if (has_exclusions_ && rnd_.chance(10)) add("x:" + number(rnd_.between(0, 3)));
    if (has_locations_ && rnd_.chance(40)) add("l:" + number(rnd_.between(0, 2)));
    return tags;
  }

  std::string instance_line(std::int64_t index) {
    const std::int64_t memory = rnd_.chance(70) ? 512 << rnd_.between(0, 3) : rnd_.between(0, 5000);
    const std::int64_t disk = rnd_.chance(70) ? 5120 << rnd_.between(0, 3) : rnd_.between(1, 90000);
    const std::string shape =
        rnd_.chance(75) ? "drbd" : pick({"plain", "rbd", "sharedfile", "ext", "file", "diskless"});
    const auto primary = static_cast<std::size_t>(rnd_.between(0, node_count_ - 1));
    auto secondary = static_cast<std::size_t>(rnd_.between(0, node_count_ - 2));
    if (secondary >= primary) ++secondary;
    const bool forthcoming = has_forthcoming_ && rnd_.chance(30);
    const std::int64_t unit = rnd_.between(0, 1);
    if (!forthcoming) {
      used_[primary].memory += memory;
      used_[primary].disk += shape == "drbd" || shape == "plain" ? disk : 0;
      used_[primary].units[unit] += shape == "drbd" || shape == "plain" ? disk : 0;
      if (shape == "drbd") {
        used_[secondary].disk += disk;
        used_[secondary].units[unit] += disk;
      }
    }
    std::string line =
        "i" + number(index) + "|" + number(memory) + "|" + number(disk) + "|" +
        number(rnd_.between(1, 4)) + "|" + status() + "|" + (rnd_.chance(95) ? "Y" : "N") + "|n" +
        number(static_cast<std::int64_t>(primary)) + "|" +
        (shape == "drbd" ? "n" + number(static_cast<std::int64_t>(secondary)) : "") + "|" + shape +
        "|" + instance_tags() + "|" + number(rnd_.chance(80) ? 1 : rnd_.between(0, 4)) + "|" +
        (has_exclusive_ && rnd_.chance(80) ? number(rnd_.between(1, 3)) : "-") + "|" +
        (forthcoming ? "Y" : "N");
    if (has_storage_ && rnd_.chance(90)) line += "|" + disks(shape, disk, unit);
    return line;
  }

  std::string disks(const std::string& shape, std::int64_t disk, std::int64_t unit) {
    const std::string type = shape == "drbd"    ? "drbd8"
                             : shape == "plain" ? "lvm-vg"
                             : shape == "rbd"   ? "rados"
                                                : shape;
    if (shape == "diskless") return "";
    const std::string key = shape == "drbd" || shape == "plain" ? "v" + number(unit) : "pool";
    if (rnd_.chance(85)) return number(disk) + "," + type + "," + key;
    return number(disk / 3) + "," + type + "," + key + ";" + number(disk - disk / 3) + "," + type +
           "," + (key == "pool" ? key : "v" + number(1 - unit));
  }

  std::string units(std::size_t index, std::int64_t slack) {
    std::string text;
    const auto add = [&](const std::string& type, const std::string& key, std::int64_t free,
                         std::int64_t total) {
      text +=
          (text.empty() ? "" : ";") + number(free) + "," + number(total) + "," + type + "," + key;
    };
    for (int u = 0; u < 2; ++u) {
      if (rnd_.chance(10)) continue;
      const std::int64_t free = rnd_.chance(80) ? slack : rnd_.between(0, slack);
      const std::int64_t total = free + (rnd_.chance(90) ? used_[index].units[u] : 0);
      add("drbd8", "v" + number(u), free, total);
      if (rnd_.chance(70)) add("lvm-vg", "v" + number(u), free, total);
    }
    for (const char* type : {"rados", "sharedfile", "ext"}) {
      if (rnd_.chance(80)) add(type, "pool", 100000, 200000);
    }
    return text;
  }

  std::string node_tags() {
    std::string tags;
    const auto add = [&](const std::string& tag) { tags += (tags.empty() ? "" : ",") + tag; };
    if (has_locations_) add("l:" + number(rnd_.between(0, 2)));
    if (has_locations_ && rnd_.chance(20)) add("l:" + number(rnd_.between(0, 2)));
    if (has_migration_ && rnd_.chance(70)) add("m:" + number(rnd_.between(0, 1)));
    return tags;
  }

  std::string node_line(std::int64_t index) {
    const Used& used = used_[static_cast<std::size_t>(index)];
    std::int64_t memory = is_tight_ ? 8192 : 16384;
    std::int64_t disk = is_tight_ ? 120000 : 300000;
    if (!has_equal_nodes_) {
      memory = memory * rnd_.between(2, 6) / 3;
      disk = disk * rnd_.between(2, 6) / 3;
    }
    memory = std::max(memory, used.memory + 256);
    disk = std::max(disk, used.disk + 1024);
    const std::int64_t lost = rnd_.chance(85) ? 0 : rnd_.between(-600, 600);
    const bool exclusive = has_exclusive_ && rnd_.chance(50);
    std::string line =
        "n" + number(index) + "|" + number(memory) + "|" + number(rnd_.chance(50) ? 0 : 128) + "|" +
        number(std::max<std::int64_t>(0, memory - used.memory - 128 - lost)) + "|" + number(disk) +
        "|" + number(disk - used.disk) + "|" + number(has_equal_nodes_ ? 8 : rnd_.between(4, 16)) +
        "|" + (rnd_.chance(static_cast<unsigned>(offline_percent_)) ? "Y" : "N") + "|uuid-g|" +
        number(rnd_.chance(90) ? 10 : 1) + "|" + node_tags() + "|" + (exclusive ? "Y" : "N") + "|" +
        number(exclusive ? rnd_.between(0, 10) : 0) + "|" + number(rnd_.between(1, 2)) + "|" +
        (has_equal_nodes_ || rnd_.chance(80) ? "1.0" : "1." + number(rnd_.between(1, 9)));
    if (has_storage_ && rnd_.chance(95))
      line += "|" + units(static_cast<std::size_t>(index), disk - used.disk);
    return line;
  }

  Random rnd_;
  std::int64_t node_count_ = 0;
  std::int64_t offline_percent_ = 0;
  bool has_storage_ = false;
  bool has_exclusive_ = false;
  bool has_exclusions_ = false;
  bool has_locations_ = false;
  bool has_migration_ = false;
  bool has_forthcoming_ = false;
  bool has_odd_states_ = false;
  bool has_equal_nodes_ = false;
  bool is_tight_ = false;
  std::vector<Used> used_;
};

}  // namespace ballast::test
