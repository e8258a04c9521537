# SPDX-License-Identifier: BSD-2-Clause
# Three parts: what is the same everywhere; Ganeti's tools under their own names (cmake --install); the same beside Ganeti's
# packages, which own those names (the Debian package, see package.cmake).
get_property(tools GLOBAL PROPERTY BALLAST_TOOLS)
get_property(links GLOBAL PROPERTY BALLAST_TOOL_LINKS)
set(commands ${tools})
list(REMOVE_ITEM commands htools)
if(commands)
  install(TARGETS ${commands} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT common)
endif()

# ballast_install_ganeti(COMPONENT BIN_FOLDER MAN_FOLDER [EXCLUDE_FROM_ALL])
function(ballast_install_ganeti component bin_folder man_folder)
  if(TARGET htools)
    install(TARGETS htools RUNTIME DESTINATION "${bin_folder}" COMPONENT ${component} ${ARGN})
  endif()
  foreach(link IN LISTS links)
    install(FILES "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${link}" DESTINATION "${bin_folder}" COMPONENT ${component} ${ARGN})
    install(FILES "${CMAKE_SOURCE_DIR}/man/${link}.1" DESTINATION "${man_folder}/man1" COMPONENT ${component} ${ARGN})
  endforeach()
endfunction()
ballast_install_ganeti(ganeti "${CMAKE_INSTALL_BINDIR}" "${CMAKE_INSTALL_MANDIR}")
ballast_install_ganeti(beside_ganeti lib/ballast/bin "${CMAKE_INSTALL_DATADIR}/ballast/man" EXCLUDE_FROM_ALL)

foreach(section 1 5 7)
  file(GLOB pages CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/man/*.${section}")
  foreach(link IN LISTS links)
    list(REMOVE_ITEM pages "${CMAKE_SOURCE_DIR}/man/${link}.1")
  endforeach()
  install(FILES ${pages} DESTINATION "${CMAKE_INSTALL_MANDIR}/man${section}" COMPONENT common)
endforeach()
# bash and fish look for a file with the name of the command: the one that serves all of them, under each name.
foreach(command IN LISTS commands links)
  install(FILES "${CMAKE_SOURCE_DIR}/completions/ballast.bash"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME ${command} COMPONENT common)
  install(FILES "${CMAKE_SOURCE_DIR}/completions/ballast.fish"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" RENAME ${command}.fish COMPONENT common)
endforeach()
install(FILES "${CMAKE_SOURCE_DIR}/completions/_ballast" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions"
  RENAME _ballast COMPONENT common)
install(DIRECTORY "${CMAKE_SOURCE_DIR}/data/" DESTINATION "${CMAKE_INSTALL_DATADIR}/ballast" COMPONENT common)

# The planners as libraries: find_package(Ballast), then Ballast::ganeti, Ballast::plan, ...; examples/embed shows it.
include(CMakePackageConfigHelpers)
get_property(libraries GLOBAL PROPERTY BALLAST_LIBRARIES)
set(package "${CMAKE_INSTALL_LIBDIR}/cmake/Ballast")
install(TARGETS ${libraries} EXPORT BallastTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}/ballast" COMPONENT Development)
install(DIRECTORY "${CMAKE_SOURCE_DIR}/include/ballast" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT Development)
install(EXPORT BallastTargets NAMESPACE Ballast:: DESTINATION "${package}" COMPONENT Development)
configure_package_config_file("${CMAKE_SOURCE_DIR}/cmake/BallastConfig.cmake.in" "${CMAKE_BINARY_DIR}/generated/BallastConfig.cmake"
  INSTALL_DESTINATION "${package}")
write_basic_package_version_file("${CMAKE_BINARY_DIR}/generated/BallastConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/generated/BallastConfig.cmake" "${CMAKE_BINARY_DIR}/generated/BallastConfigVersion.cmake"
  DESTINATION "${package}" COMPONENT Development)
