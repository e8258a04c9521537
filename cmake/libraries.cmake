# SPDX-License-Identifier: BSD-2-Clause
# One static library per folder. A library can only use what it links, so the table in src/CMakeLists.txt *is* the
# allowed direction of dependencies; tests/support/check_includes.py reads it and holds the #includes against it.
find_package(fmt REQUIRED)
find_package(tl-expected REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(CURL REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Threads REQUIRED)

# ballast_library(NAME FOLDER DEPS...): sources are src/FOLDER/*.cpp; DEPS are our libraries or outside targets.
function(ballast_library name folder)
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/${folder}/*.cpp")
  set_property(GLOBAL APPEND PROPERTY BALLAST_SOURCES ${sources})
  if(sources)
    add_library(ballast_${name} STATIC ${sources})
    target_link_libraries(ballast_${name} PUBLIC ballast_options)
    target_link_libraries(ballast_${name} PUBLIC ${ARGN})
    if(BALLAST_IS_HARDENED AND name IN_LIST BALLAST_INNER_LOOPS)
      target_compile_options(ballast_${name} PRIVATE -U_GLIBCXX_ASSERTIONS)  # not what the precompiled headers were read with
    else()
      ballast_precompiled_headers(ballast_${name})
    endif()
  else()
    add_library(ballast_${name} INTERFACE)
    target_link_libraries(ballast_${name} INTERFACE ballast_options ${ARGN})
  endif()
endfunction()

# ballast_bundle(NAME DEPS...): several rooms under one name, for those that use them all.
function(ballast_bundle name)
  add_library(ballast_${name} INTERFACE)
  target_link_libraries(ballast_${name} INTERFACE ${ARGN})
endfunction()

# Stops where a source lies in a folder that no line of the table names: it would silently be left out.
function(ballast_no_source_forgotten)
  file(GLOB_RECURSE forgotten CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/*.cpp")
  get_property(sources GLOBAL PROPERTY BALLAST_SOURCES)
  list(REMOVE_ITEM forgotten ${sources})
  if(forgotten)
    list(JOIN forgotten "\n  " names)
    message(FATAL_ERROR "sources that no library or tool takes:\n  ${names}")
  endif()
endfunction()
