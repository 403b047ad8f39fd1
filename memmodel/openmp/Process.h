//===- Process.h - A program that runs OpenMP for prophet -------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <csignal>
#include <sys/prctl.h>
#include <sys/types.h>
#include <unistd.h>

namespace openmp_overheads {

/// OpenMP's runtime, that of the compiler that built this.
#ifdef __clang__
inline constexpr const char *openmpName = "libomp";
#else
inline constexpr const char *openmpName = "libgomp";
#endif

/// Has this process end with the one that started it, `parent`, however that ends.
/// \returns whether that has not ended before.
inline bool endWith(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  return getppid() == parent;
}

} // namespace openmp_overheads
