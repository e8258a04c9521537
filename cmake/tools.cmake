# SPDX-License-Identifier: BSD-2-Clause
# ballast_tools(LIBRARIES NAME...): one executable from src/tools/NAME.cpp and NAME_*.cpp each, where the first exists.
add_custom_target(tools)  # every executable of the suite

function(ballast_tools libraries)
  foreach(tool IN LISTS ARGN)
    file(GLOB main CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/tools/${tool}.cpp")
    file(GLOB parts CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/tools/${tool}_*.cpp")
    set_property(GLOBAL APPEND PROPERTY BALLAST_SOURCES ${main} ${parts})
    if(main)
      add_executable(${tool} ${main} ${parts})
      target_include_directories(${tool} PRIVATE "${CMAKE_SOURCE_DIR}/src")
      target_link_libraries(${tool} PRIVATE ${libraries})
      ballast_precompiled_headers(${tool})
      add_dependencies(tools ${tool})
      set_property(GLOBAL APPEND PROPERTY BALLAST_TOOLS ${tool})
    endif()
  endforeach()
endfunction()

# ballast_ganeti_tools(LIBRARIES NAME...): the Ganeti tools are one executable, htools, that plays the role of the name it
# is started by (as the reference's does). A name takes part where src/tools/NAME.cpp exists and defines run_NAME.
function(ballast_ganeti_tools libraries)
  if(NOT EXISTS "${CMAKE_SOURCE_DIR}/src/tools/htools.cpp")
    return()
  endif()
  set(sources "${CMAKE_SOURCE_DIR}/src/tools/htools.cpp")
  set(table "")
  foreach(tool IN LISTS ARGN)
    file(GLOB source CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/tools/${tool}.cpp")
    if(source)
      list(APPEND sources ${source})
      string(APPEND table "    {\"${tool}\", run_${tool}},\n")
      add_custom_command(
        OUTPUT "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${tool}"
        COMMAND "${CMAKE_COMMAND}" -E create_symlink htools "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${tool}"
        DEPENDS htools)
      add_custom_target(${tool} ALL DEPENDS "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${tool}")
      add_dependencies(tools ${tool})
      set_property(GLOBAL APPEND PROPERTY BALLAST_TOOL_LINKS ${tool})
    endif()
  endforeach()
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/generated/ganeti_tools.inc" CONTENT "${table}")
  set_property(GLOBAL APPEND PROPERTY BALLAST_SOURCES ${sources})
  add_executable(htools ${sources})
  target_include_directories(htools PRIVATE "${CMAKE_BINARY_DIR}/generated" "${CMAKE_SOURCE_DIR}/src")
  target_link_libraries(htools PRIVATE ${libraries})
  ballast_precompiled_headers(htools)
  add_dependencies(tools htools)
  set_property(GLOBAL APPEND PROPERTY BALLAST_TOOLS htools)
endfunction()

# ballast_ganeti_tools_alone(LIBRARY NAME...): each name as a program of its own, in the folder `alone`, for who waits for that tool and
# no other: the target NAME-alone. Never part of `all`.
function(ballast_ganeti_tools_alone library)
  foreach(tool IN LISTS ARGN)
    if(EXISTS "${CMAKE_SOURCE_DIR}/src/tools/${tool}.cpp" AND TARGET htools)
      set(folder "${CMAKE_BINARY_DIR}/generated/alone/${tool}")
      file(CONFIGURE OUTPUT "${folder}/ganeti_tools.inc" CONTENT "    {\"${tool}\", run_${tool}},\n")
      add_executable(${tool}-alone EXCLUDE_FROM_ALL "${CMAKE_SOURCE_DIR}/src/tools/htools.cpp" "${CMAKE_SOURCE_DIR}/src/tools/${tool}.cpp")
      set_target_properties(${tool}-alone PROPERTIES OUTPUT_NAME ${tool} RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/alone")
      target_include_directories(${tool}-alone PRIVATE "${folder}" "${CMAKE_SOURCE_DIR}/src")
      target_link_libraries(${tool}-alone PRIVATE ${library})
      ballast_precompiled_headers(${tool}-alone)
    endif()
  endforeach()
endfunction()
