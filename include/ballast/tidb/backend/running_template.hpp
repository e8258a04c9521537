// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/backend/kube_dump.hpp"
#include "ballast/tidb/model/spec.hpp"

namespace ballast::tidb {

/// Lays what a StatefulSet shows over a specification: image, requests, limits, node selector,
/// affinity, tolerations, scheduler, claim templates. Shortened dumps leave parts out; what is not
/// shown stays as specified.
void overlay_running_template(const KubeStatefulSet& statefulset, SetSpec& spec);

}  // namespace ballast::tidb
