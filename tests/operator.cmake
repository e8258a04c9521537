# SPDX-License-Identifier: BSD-2-Clause
ballast_script_test(operator/fdb operator operator/fdb_test.py --bin "${CMAKE_BINARY_DIR}/bin")
# Independent models of the operators' plans; longer with BALLAST_LONG=1.
foreach(name replay_operator_plans operator_mutants)
  ballast_script_test(model/${name} model model/${name}.py --bin "${CMAKE_BINARY_DIR}/bin")
endforeach()
ballast_script_test(operator/remedies operator operator/follow_remedies.py --bin "${CMAKE_BINARY_DIR}/bin")
