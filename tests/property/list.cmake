# SPDX-License-Identifier: BSD-2-Clause
ballast_property(packing_oracle packing_oracle.cpp ballast_fdb_search)
ballast_property(balance_fast balance_fast.cpp ballast_ganeti_search ballast_ganeti_backend)
ballast_property(storage_moves storage_moves.cpp ballast_ganeti_backend)
