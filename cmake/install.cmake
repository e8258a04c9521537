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
# bash and fish look for a file with the name of the command: the one that serves all of them, under each name.
set(commands ${tools} ${links})
list(REMOVE_ITEM commands htools)
foreach(command IN LISTS commands)
  install(FILES "${CMAKE_SOURCE_DIR}/completions/ballast.bash"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME ${command})
  install(FILES "${CMAKE_SOURCE_DIR}/completions/ballast.fish"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" RENAME ${command}.fish)
endforeach()
install(FILES "${CMAKE_SOURCE_DIR}/completions/_ballast" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
install(DIRECTORY "${CMAKE_SOURCE_DIR}/data/" DESTINATION "${CMAKE_INSTALL_DATADIR}/ballast")
