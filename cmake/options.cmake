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
# What people run is built so that a mistake of ours ends the program instead of being used: stacks and calls are guarded,
# the linker's tables are read-only, and the libraries check what they are asked for. The libraries of BALLAST_INNER_LOOPS,
# which weigh moves, go without the checks of the C++ library.
option(BALLAST_HARDEN "Hardening of optimised builds" ON)
set(BALLAST_INNER_LOOPS ganeti_model ganeti_rules ganeti_moves ganeti_score ganeti_kernel ganeti_balance ganeti_redundancy ganeti_allocate ganeti_capacity
  ganeti_improve)
set(BALLAST_IS_HARDENED OFF)
if(BALLAST_HARDEN AND NOT BALLAST_SANITIZE AND CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$")
  set(BALLAST_IS_HARDENED ON)
  target_compile_options(ballast_options INTERFACE -fstack-protector-strong -fPIE)
  target_compile_definitions(ballast_options INTERFACE _FORTIFY_SOURCE=2 _GLIBCXX_ASSERTIONS)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|i.86")
    target_compile_options(ballast_options INTERFACE -fcf-protection=full)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    target_compile_options(ballast_options INTERFACE -mbranch-protection=standard)
  endif()
  target_link_options(ballast_options INTERFACE -pie -Wl,-z,relro,-z,now,-z,noexecstack)
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

# Most of a small file's compile time goes into the same few headers of the standard library and of fmt: they are read once.
# The dev preset goes without, so that no file lives on an include of this list.
option(BALLAST_PRECOMPILE "Precompiled headers" ON)
if(BALLAST_PRECOMPILE)
  file(WRITE "${CMAKE_BINARY_DIR}/generated/precompiled.cpp.tmp" "// Carries the precompiled headers that all targets share.\n")
  file(COPY_FILE "${CMAKE_BINARY_DIR}/generated/precompiled.cpp.tmp" "${CMAKE_BINARY_DIR}/generated/precompiled.cpp" ONLY_IF_DIFFERENT)
  find_package(fmt REQUIRED)
  find_package(tl-expected REQUIRED)
  add_library(ballast_precompiled STATIC "${CMAKE_BINARY_DIR}/generated/precompiled.cpp")
  target_link_libraries(ballast_precompiled PUBLIC ballast_options fmt::fmt tl::expected)
  target_precompile_headers(ballast_precompiled PRIVATE
    <algorithm> <array> <chrono> <cmath> <cstdint> <functional> <map> <memory> <optional> <set> <span> <string>
    <string_view> <unordered_map> <utility> <vector> <fmt/format.h> <fmt/ranges.h> <tl/expected.hpp>)
endif()

# ballast_precompiled_headers(TARGET): TARGET uses the shared ones.
function(ballast_precompiled_headers target)
  if(BALLAST_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ballast_precompiled)
  endif()
endfunction()
