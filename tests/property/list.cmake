# SPDX-License-Identifier: BSD-2-Clause
ballast_property(packing_oracle packing_oracle.cpp ballast_fdb_search)
