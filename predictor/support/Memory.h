//===- Memory.h - How this process uses memory ------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <limits>
#include <malloc.h>

namespace prophet {

/// Estimates of large trees take and free the same tens of megabytes again and again: what is freed
/// stays here, where the kernel would clear every page anew.
inline void keepFreedMemory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  mallopt(M_TOP_PAD, 16 << 20);
#endif
}

} // namespace prophet
