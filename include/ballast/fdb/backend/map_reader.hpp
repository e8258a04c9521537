// SPDX-License-Identifier: BSD-2-Clause
// Typed reading of a mapping: each key once, every problem recorded, keys that nobody asked for
// reported at the end.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/fdb/backend/finding.hpp"
#include "ballast/fdb/model/cluster.hpp"
#include "ballast/kube/node.hpp"

namespace ballast::fdb {

/// A key that nobody knows, and the known one beside it that it may be meant to be.
struct UnknownKey {
  std::string path;
  std::string nearest;  ///< empty: none is near
};

struct ReadContext {
  Findings* findings = nullptr;
  std::vector<Remark>* notes = nullptr;
  std::vector<UnknownKey>* unknown_keys = nullptr;
};

/// A whole number in decimal and nothing else.
std::optional<std::int64_t> whole_number(std::string_view text);

class MapReader {
 public:
  /// A node that is absent or null reads as an empty mapping; anything but a mapping is F004.
  MapReader(const kube::Node* node, std::string path, const ReadContext& context);

  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
  /// The raw node; the key counts as known. Null counts as absent.
  const kube::Node* raw(std::string_view key);
  MapReader map(std::string_view key);
  void ignore(std::initializer_list<std::string_view> keys);

  void integer(std::string_view key, std::int64_t& out,
               std::int64_t least = std::numeric_limits<std::int64_t>::min(),
               std::int64_t most = std::numeric_limits<std::int64_t>::max());
  void integer(std::string_view key, int& out, std::int64_t least = std::numeric_limits<int>::min(),
               std::int64_t most = std::numeric_limits<int>::max());
  void integer(std::string_view key, std::optional<int>& out,
               std::int64_t least = std::numeric_limits<int>::min());
  void boolean(std::string_view key, bool& out);
  void text(std::string_view key, std::string& out);
  /// Scalars of any kind as text (knobs, percent values).
  void any_text(std::string_view key, std::string& out);
  void texts(std::string_view key, std::vector<std::string>& out);
  /// One of `names`; the position. F009 otherwise.
  std::optional<std::size_t> one_of(std::string_view key,
                                    const std::vector<std::string_view>& names);
  void pairs(std::string_view key, Pairs& out);

  /// Notes each key that was not asked for.
  void finish();
  [[nodiscard]] std::string path_of(std::string_view key) const;
  [[nodiscard]] const kube::Node* node() const { return node_; }
  void complain(std::string code, const kube::Node& at, std::string_view key, std::string message);
  [[nodiscard]] const ReadContext& context() const { return context_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  [[nodiscard]] const kube::Node* find(std::string_view key) const;
  [[nodiscard]] std::string nearest(std::string_view key) const;
  const kube::Node* node_ = nullptr;
  std::string path_;
  ReadContext context_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace ballast::fdb
