# SPDX-License-Identifier: BSD-2-Clause
# One static library per folder. A library can only use what it links, so the table in src/CMakeLists.txt *is* the
# allowed direction of dependencies; tests/support/check_includes.py reads it and holds the #includes against it.
find_package(fmt REQUIRED)
find_package(tl-expected REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(range-v3 REQUIRED)
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
    target_link_libraries(ballast_${name} PUBLIC $<BUILD_INTERFACE:ballast_options>)
    target_link_libraries(ballast_${name} PUBLIC ${ARGN})
    ballast_exported(${name} PUBLIC)
    if(BALLAST_IS_HARDENED AND name IN_LIST BALLAST_INNER_LOOPS)
      target_compile_options(ballast_${name} PRIVATE -U_GLIBCXX_ASSERTIONS)  # not what the precompiled headers were read with
    else()
      ballast_precompiled_headers(ballast_${name})
    endif()
  else()
    add_library(ballast_${name} INTERFACE)
    target_link_libraries(ballast_${name} INTERFACE $<BUILD_INTERFACE:ballast_options> ${ARGN})
    ballast_exported(${name} INTERFACE)
  endif()
endfunction()

# ballast_bundle(NAME DEPS...): several rooms under one name, for those that use them all.
function(ballast_bundle name)
  add_library(ballast_${name} INTERFACE)
  target_link_libraries(ballast_${name} INTERFACE ${ARGN})
  ballast_exported(${name} INTERFACE)
endfunction()

# Others that embed the planners link it as Ballast::NAME, here and after an installation alike.
function(ballast_exported name visibility)
  add_library(Ballast::${name} ALIAS ballast_${name})
  set_target_properties(ballast_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(ballast_${name} ${visibility} $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(ballast_${name} ${visibility} cxx_std_20)
  set_property(GLOBAL APPEND PROPERTY BALLAST_LIBRARIES ballast_${name})
endfunction()

# ballast_hot_loops(SOURCE...): sources below src whose loops decide how long a search takes.
function(ballast_hot_loops)
  list(TRANSFORM ARGN PREPEND "${CMAKE_SOURCE_DIR}/src/")
  set_source_files_properties(${ARGN} PROPERTIES
    SKIP_PRECOMPILE_HEADERS ON COMPILE_OPTIONS "-O3;-fno-math-errno;-fno-trapping-math")
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
