# SPDX-License-Identifier: BSD-2-Clause
# One static library per folder. A library can only use what it links, so the table below *is* the
# allowed direction of dependencies; tests/support/check_includes.py holds the #includes against the same table.
find_package(fmt REQUIRED)
find_package(tl-expected REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(CURL REQUIRED)
find_package(Threads REQUIRED)

# ballast_library(NAME FOLDER DEPS...): sources are src/FOLDER/*.cpp; DEPS are our libraries or outside targets.
function(ballast_library name folder)
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/${folder}/*.cpp")
  if(sources)
    add_library(ballast_${name} STATIC ${sources})
    target_link_libraries(ballast_${name} PUBLIC ballast_options)
    target_link_libraries(ballast_${name} PUBLIC ${ARGN})
    ballast_precompiled_headers(ballast_${name})
  else()
    add_library(ballast_${name} INTERFACE)
    target_link_libraries(ballast_${name} INTERFACE ballast_options ${ARGN})
  endif()
endfunction()
