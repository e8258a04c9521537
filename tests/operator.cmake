# SPDX-License-Identifier: BSD-2-Clause
ballast_script_test(operator/fdb operator operator/fdb_test.py --bin "${CMAKE_BINARY_DIR}/bin")
