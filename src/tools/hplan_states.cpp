// SPDX-License-Identifier: BSD-2-Clause
#include "tools/hplan_states.hpp"

#include "ballast/doc/tree.hpp"
#include "ballast/fdb/cli/plan_source.hpp"
#include "ballast/kube/documents.hpp"
#include "ballast/tidb/cli/plan_source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

namespace ballast::tools {
namespace {

namespace fs = std::filesystem;
using doc::Tree;

struct State {
  std::vector<std::string> words;  ///< options of the planner, with their files
  std::optional<plan::System> system;
};

bool has_any(const Tree& node, std::initializer_list<std::string_view> keys) {
  return std::ranges::any_of(keys, [&](std::string_view key) { return node.find(key) != nullptr; });
}

std::string kind_of(const Tree& node) {
  const Tree* kind = node.find("kind");
  return kind == nullptr ? "" : kind->text();
}

/// Of which operator's cluster this is a description, if it is one.
std::optional<plan::System> system_of(const Tree& node) {
  constexpr auto kTidb = std::to_array<std::string_view>(
      {"TidbCluster", "Cluster", "PDGroup", "TiKVGroup", "TiDBGroup"});
  const std::string kind = kind_of(node);
  if (kind == "FoundationDBCluster") return plan::System::Fdb;
  if (std::ranges::find(kTidb, kind) != kTidb.end()) return plan::System::Tidb;
  // A values file of the chart.
  if (kind.empty() && has_any(node, {"pd", "tikv", "tidb"})) return plan::System::Tidb;
  return std::nullopt;
}

/// The option by which a planner takes the file.
std::string_view option_of(const std::vector<Tree>& objects, std::optional<plan::System>& system) {
  for (const Tree& object : objects) {
    if (const auto found = system_of(object)) {
      system = found;
      return "--current";
    }
  }
  const bool is_kube = std::ranges::any_of(
      objects, [](const Tree& object) { return object.find("kind") != nullptr; });
  if (is_kube) return "--kube";
  const Tree* first = objects.empty() ? nullptr : &objects.front();
  if (first == nullptr) return "";
  if (first->is_map() && first->find("cluster") != nullptr && first->find("client") != nullptr)
    return "--status";
  return "--pd";
}

std::vector<std::string> files_of(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return {path};
  std::vector<std::string> files;
  for (fs::directory_iterator entry(path, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const fs::path& file = entry->path();
    const bool is_document =
        file.extension() == ".yaml" || file.extension() == ".yml" || file.extension() == ".json";
    if (is_document && !file.stem().string().starts_with("desired")) files.push_back(file.string());
  }
  std::ranges::sort(files);
  return files;
}

Result<State> state_of(const std::string& path) {
  State state;
  for (const std::string& file : files_of(path)) {
    auto documents = kube::load_documents(file);
    if (!documents) return fail(documents.error());
    const std::string_view option =
        option_of(kube::flatten_lists(std::move(*documents)), state.system);
    if (!option.empty()) state.words.push_back(fmt::format("{}={}", option, file));
  }
  if (!state.system) {
    return fail(
        fmt::format("{}: holds no cluster: expected a FoundationDBCluster, a TidbCluster, a "
                    "Cluster or a values "
                    "file",
                    path));
  }
  return state;
}

}  // namespace

bool is_operator_state(const std::string& path, std::string_view text) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return true;
  const auto documents = kube::parse_documents(text, path);
  if (!documents) return false;
  return std::ranges::any_of(kube::flatten_lists(*documents),
                             [](const Tree& object) { return system_of(object).has_value(); });
}

Result<plan::Plan> operator_state(const std::string& path) {
  const auto state = state_of(path);
  if (!state) return fail(state.error());
  auto planned = *state->system == plan::System::Fdb ? fdb::plan_from_words(state->words, false)
                                                     : tidb::plan_from_words(state->words, false);
  if (!planned) return fail(fmt::format("{}", fmt::join(planned.error(), "\nhplan: ")));
  plan::Plan only;
  only.system = *state->system;
  only.before = std::move(planned->before);
  only.objects = std::move(planned->objects);
  return only;
}

}  // namespace ballast::tools
