# SPDX-License-Identifier: BSD-2-Clause
ballast_fuzz(kube ballast_kube)
ballast_fuzz(kube_edit ballast_kube)
ballast_fuzz(plan ballast_report)
ballast_fuzz(tidb ballast_tidb_search ballast_tidb_backend)
ballast_fuzz(ganeti_text ballast_ganeti_backend)
ballast_fuzz(ganeti_iallocator ballast_ganeti_search ballast_ganeti_backend)
ballast_fuzz(fdb ballast_fdb_cli)
ballast_fuzz(ganeti_live ballast_ganeti_backend)
