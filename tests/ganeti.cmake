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
ballast_script_test(scripts/run scripts scripts/run.py --bin "${CMAKE_BINARY_DIR}/bin")
ballast_script_test(scripts/metrics scripts scripts/metrics.py --bin "${CMAKE_BINARY_DIR}/bin")
# The other sources: saved and recorded answers (150 seeds, a third of them hscan), and servers of this machine.
ballast_script_test(differential/sources differential differential/run.py --bin "${CMAKE_BINARY_DIR}/bin" --no-write
  --tool rapi --tool luxi --tool mond)
ballast_script_test(sources/bad-servers sources sources/bad_servers.py --bin "${CMAKE_BINARY_DIR}/bin")
ballast_script_test(sources/storage-jobs sources sources/storage_jobs.py --bin "${CMAKE_BINARY_DIR}/bin")
# Tables of small clusters and of hostile names, through the programs.
ballast_script_test(ganeti/small-clusters ganeti ganeti/small_clusters.py --bin "${CMAKE_BINARY_DIR}/bin")
ballast_script_test(ganeti/hostile-names ganeti ganeti/hostile_names.py --bin "${CMAKE_BINARY_DIR}/bin")
# An independent model of plans, and plans broken on purpose.
ballast_script_test(model/ganeti-plans model model/replay_plans.py --bin "${CMAKE_BINARY_DIR}/bin")
ballast_script_test(model/mutants model model/mutants.py --bin "${CMAKE_BINARY_DIR}/bin")
ballast_script_test(ganeti/allocator-agreement ganeti ganeti/allocator_agreement.py --bin "${CMAKE_BINARY_DIR}/bin")
