// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/doc/tree.hpp"
#include "ballast/operators/input/diagnostics.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ballast::tidb {

using operators::Diagnostic;
using operators::Diagnostics;

/// The files of one side, told apart by their content.
struct Documents {
  enum class Kind { None, Values, Cluster, Groups };
  Kind kind = Kind::None;
  doc::Tree values;  // Values: all files merged; also a patch that waits for its object
  std::vector<doc::Tree> objects;  // Cluster: TidbCluster objects; Groups: Cluster and groups
  std::optional<doc::Tree> patch;  // a file with `spec` and without `kind`
  std::string file;                // the first one, for messages
};

/// What one side's files hold. Texts are given with their names, so that nothing here reads files.
struct SourceText {
  std::string file;
  std::string text;
};
/// The YAML or JSON documents of a text; nothing (and E015) where it cannot be parsed or holds
/// none. `expected`: what it should hold, for the message.
std::optional<std::vector<doc::Tree>> parse_source(const SourceText& source,
                                                   std::string_view expected, Diagnostics& errors);
Documents read_documents(const std::vector<SourceText>& sources, Diagnostics& errors);

/// The desired side where it is a patch, or is not given at all: the current objects with the patch
/// laid over.
Documents with_patch(const Documents& current, const Documents& desired, Diagnostics& errors);

/// Applies --set PATH=VALUE. Paths are relative to .spec for objects and to the root for values;
/// [NAME] in them means the element with that name. Errors are E019.
void apply_sets(Documents& side, const std::vector<std::string>& assignments,
                const std::string& object_name, Diagnostics& errors);

}  // namespace ballast::tidb
