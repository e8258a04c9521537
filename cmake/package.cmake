# SPDX-License-Identifier: BSD-2-Clause
# The Debian package, made by `cpack` in the build folder: ballast_VERSION_ARCHITECTURE.deb.
set(BALLAST_MAINTAINER "The Ballast authors <ballast@example.org>" CACHE STRING "Who stands in the package as its maintainer")
set(doc_folder "${CMAKE_INSTALL_DATADIR}/doc/ballast")
set(package_folder "${CMAKE_BINARY_DIR}/generated/package")
file(MAKE_DIRECTORY "${package_folder}")
file(READ "${CMAKE_SOURCE_DIR}/LICENSE" license)
file(CONFIGURE OUTPUT "${package_folder}/copyright" CONTENT "Upstream-Name: ballast\n\n${license}\nFiles: *\nLicense: BSD-2-Clause\n" @ONLY)
file(TIMESTAMP "${CMAKE_SOURCE_DIR}/CHANGELOG.md" changed "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE "${package_folder}/changelog"
  "ballast (${PROJECT_VERSION}) unstable; urgency=medium\n\n  * See CHANGELOG.md of this release.\n\n -- ${BALLAST_MAINTAINER}  ${changed}\n")
execute_process(COMMAND gzip -9 -n -f "${package_folder}/changelog")
install(FILES "${package_folder}/copyright" "${package_folder}/changelog.gz" "${CMAKE_SOURCE_DIR}/CHANGELOG.md" DESTINATION "${doc_folder}"
  COMPONENT debian EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ballast)
set(CPACK_PACKAGE_CONTACT "${BALLAST_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "planners for Ganeti, FoundationDB and TiDB clusters")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
  "Command-line planners for stateful clusters. Each reads a snapshot of a\ncluster, works out what should move, be replaced or be converted, and\nprints a plan with reasons, costs and checks. Nothing is executed. The\nGaneti tools answer like those of htools.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_COMPONENTS_ALL common beside_ganeti debian)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION admin)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${CMAKE_SOURCE_DIR}/cmake/package/postinst;${CMAKE_SOURCE_DIR}/cmake/package/prerm")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_SOURCE_DIR}/cmake/package/compress_pages.cmake")
include(CPack)
