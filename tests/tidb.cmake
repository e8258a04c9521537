# SPDX-License-Identifier: BSD-2-Clause
ballast_script_test(tidb/samples golden tidb/shared_cases.py --bin "${CMAKE_BINARY_DIR}/bin")
ballast_script_test(operator/tidb operator operator/tidb/run.py --bin "${CMAKE_BINARY_DIR}/bin")
ballast_script_test(operator/tidb_groups operator operator/tidb/groups.py --bin "${CMAKE_BINARY_DIR}/bin")
