# SPDX-License-Identifier: BSD-2-Clause
ballast_script_test(docs/examples docs support/check_docs.py --bin "${CMAKE_BINARY_DIR}/bin")
ballast_script_test(docs/man docs support/check_man.py --bin "${CMAKE_BINARY_DIR}/bin")
ballast_script_test(docs/package docs support/check_package.py "${CMAKE_BINARY_DIR}")
ballast_script_test(docs/completions docs completions/run.py --bin "${CMAKE_BINARY_DIR}/bin")
ballast_script_test(docs/install docs support/check_install.py "${CMAKE_BINARY_DIR}")
if(TARGET htools)
  ballast_script_test(docs/embed docs scripts/embed.py "${CMAKE_BINARY_DIR}")
endif()
