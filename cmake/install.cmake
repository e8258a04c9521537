# SPDX-License-Identifier: BSD-2-Clause
get_property(tools GLOBAL PROPERTY BALLAST_TOOLS)
if(tools)
  install(TARGETS ${tools} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
get_property(links GLOBAL PROPERTY BALLAST_TOOL_LINKS)
foreach(link IN LISTS links)
  install(FILES "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${link}" DESTINATION "${CMAKE_INSTALL_BINDIR}")
endforeach()
foreach(section 1 5 7)
  file(GLOB pages CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/man/*.${section}")
  install(FILES ${pages} DESTINATION "${CMAKE_INSTALL_MANDIR}/man${section}")
endforeach()
file(GLOB completions CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/completions/*")
install(FILES ${completions} DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(DIRECTORY "${CMAKE_SOURCE_DIR}/data/" DESTINATION "${CMAKE_INSTALL_DATADIR}/ballast")

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
