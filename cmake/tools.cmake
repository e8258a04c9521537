# SPDX-License-Identifier: BSD-2-Clause
# ballast_tools(LIBRARIES NAME...): one executable from src/tools/NAME.cpp each, where that file exists.
add_custom_target(tools)  # every executable of the suite

function(ballast_tools libraries)
  foreach(tool IN LISTS ARGN)
    file(GLOB main CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/tools/${tool}.cpp")
    if(main)
      add_executable(${tool} ${main})
      target_link_libraries(${tool} PRIVATE ${libraries})
      add_dependencies(tools ${tool})
      set_property(GLOBAL APPEND PROPERTY BALLAST_TOOLS ${tool})
    endif()
  endforeach()
endfunction()
