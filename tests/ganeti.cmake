# SPDX-License-Identifier: BSD-2-Clause
# Ours against the reference, one test per tool that has a module in differential/tools; 100 seeds here, more with BALLAST_LONG=1.
file(GLOB modules CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/differential/tools/h*.py")
foreach(module IN LISTS modules)
  get_filename_component(tool "${module}" NAME_WE)
  if(TARGET ${tool})
    ballast_script_test(differential/${tool} differential differential/run.py --bin "${CMAKE_BINARY_DIR}/bin" --no-write --tool ${tool})
  endif()
endforeach()
ballast_script_test(structure/report-schema structure support/check_reports.py)
