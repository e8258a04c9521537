// SPDX-License-Identifier: BSD-2-Clause
// The one mark of functions whose loops decide how long a search takes. Where compiler and
// processor allow it, a second version of them for wider vectors is chosen when the program starts;
// values are the same, as nothing is reordered. Their files are listed in src/CMakeLists.txt
// (ballast_hot_loops), which has the compiler vectorise them.
#pragma once

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define BALLAST_WIDE_VECTORS __attribute__((target_clones("default", "avx2")))
#else
#define BALLAST_WIDE_VECTORS
#endif
