# SPDX-License-Identifier: BSD-2-Clause
ballast_script_test(docs/examples docs support/check_docs.py --bin "${CMAKE_BINARY_DIR}/bin")
