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
ballast_script_test(structure/document-schemas structure support/check_documents.py)
ballast_script_test(plan/report_in_browser browser browser/report_test.py --bin "${CMAKE_BINARY_DIR}/bin")
ballast_script_test(scripts/run scripts scripts/run.py --bin "${CMAKE_BINARY_DIR}/bin")
ballast_script_test(scripts/cron scripts scripts/cron.py --bin "${CMAKE_BINARY_DIR}/bin")
ballast_script_test(scripts/exit_statuses scripts scripts/exit_statuses.py --bin "${CMAKE_BINARY_DIR}/bin")
ballast_script_test(scripts/metrics scripts scripts/metrics.py --bin "${CMAKE_BINARY_DIR}/bin")
# The other sources: saved and recorded answers (150 seeds, a third of them hscan), and servers of this machine.
ballast_script_test(differential/sources differential differential/run.py --bin "${CMAKE_BINARY_DIR}/bin" --no-write
  --tool rapi --tool luxi --tool mond)
ballast_script_test(sources/bad-servers sources sources/bad_servers.py --bin "${CMAKE_BINARY_DIR}/bin")
ballast_script_test(sources/inputs-stay sources sources/inputs_stay.py --bin "${CMAKE_BINARY_DIR}/bin")
ballast_script_test(sources/storage-jobs sources sources/storage_jobs.py --bin "${CMAKE_BINARY_DIR}/bin")
# Tables and models of their own; longer with BALLAST_LONG=1.
foreach(name ganeti/small_clusters ganeti/rules_matrix ganeti/hostile_names ganeti/allocator_agreement ganeti/doctor_remedies model/replay_plans model/mutants model/random_mutants)
  get_filename_component(label "${name}" DIRECTORY)
  ballast_script_test(${name} ${label} ${name}.py --bin "${CMAKE_BINARY_DIR}/bin")
endforeach()
