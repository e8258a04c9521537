# SPDX-License-Identifier: BSD-2-Clause
# ballast_options: language standard, warnings and sanitizers, for every target of ours and for no other.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()

add_library(ballast_options INTERFACE)
target_compile_features(ballast_options INTERFACE cxx_std_20)
set(CMAKE_CXX_EXTENSIONS OFF)
target_include_directories(ballast_options INTERFACE "${CMAKE_SOURCE_DIR}/include")
# Scores must equal the reference's to the last bit: no fused multiply-add, no value-changing optimisation.
target_compile_options(ballast_options INTERFACE -ffp-contract=off)
# Integers wrap as the reference's do.
target_compile_options(ballast_options INTERFACE -fwrapv)

target_compile_options(ballast_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor
  -Woverloaded-virtual -Wformat=2 -Wnull-dereference)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(ballast_options INTERFACE
    -Wduplicated-cond -Wduplicated-branches -Wlogical-op -Wuseless-cast)
endif()
if(BALLAST_WERROR)
  target_compile_options(ballast_options INTERFACE -Werror)
endif()
if(BALLAST_ASSERTIONS)
  target_compile_definitions(ballast_options INTERFACE _GLIBCXX_ASSERTIONS)
endif()
if(BALLAST_OPTIMISE_DEBUG)
  target_compile_options(ballast_options INTERFACE -O1)
endif()
if(BALLAST_SANITIZE)
  set(sanitize "-fsanitize=${BALLAST_SANITIZE}" -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(BALLAST_FUZZ)
    list(APPEND sanitize -fsanitize=fuzzer-no-link)
  endif()
  target_compile_options(ballast_options INTERFACE ${sanitize})
  target_link_options(ballast_options INTERFACE ${sanitize})
endif()
