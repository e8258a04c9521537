# SPDX-License-Identifier: BSD-2-Clause
ballast_fuzz(kube ballast_kube)
ballast_fuzz(kube_edit ballast_kube)
ballast_fuzz(plan ballast_report)
ballast_fuzz(ganeti_text ballast_ganeti_backend)
