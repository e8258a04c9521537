# SPDX-License-Identifier: BSD-2-Clause
# Run by cpack when everything is in its temporary folder: Debian keeps manual pages compressed.
file(GLOB_RECURSE pages "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*.[157]")
foreach(page IN LISTS pages)
  execute_process(COMMAND gzip -9 -n "${page}")
endforeach()
