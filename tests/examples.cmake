# SPDX-License-Identifier: BSD-2-Clause
# The planner of docs/adding-an-operator.md, compiled and run.
add_executable(statefulset-plan "${CMAKE_SOURCE_DIR}/examples/statefulset/main.cpp")
target_link_libraries(statefulset-plan PRIVATE ballast_operators_cli)
ballast_precompiled_headers(statefulset-plan)
ballast_golden(statefulset-plan)
