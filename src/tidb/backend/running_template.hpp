// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/model/spec.hpp"
#include "kube_dump.hpp"

namespace ballast::tidb {

/// Lays what a StatefulSet shows over a specification: image, requests, limits, node selector,
/// affinity, tolerations, scheduler, claim templates. Shortened dumps leave parts out; what is not
/// shown stays as specified.
void overlay_running_template(const KubeStatefulSet& statefulset, SetSpec& spec);

/// Whether a pod of an older revision was made from the wished template, as far as the pod shows
/// it: image, requests and limits. False where `running` and `wished` differ in something else,
/// which a pod does not show.
bool shows_template_of(const KubePod& pod, const SetSpec& running, const SetSpec& wished);

}  // namespace ballast::tidb
