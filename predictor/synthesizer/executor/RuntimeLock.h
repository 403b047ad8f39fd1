//===- RuntimeLock.h - The runtime's lock -----------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#ifdef SYNTHESIZER_TBB

#include <oneapi/tbb/mutex.h>

namespace synthesizer {

using RuntimeLock = tbb::mutex;

} // namespace synthesizer

#else

#include <omp.h>

namespace synthesizer {

class RuntimeLock {
public:
  RuntimeLock() { omp_init_lock(&own); }
  ~RuntimeLock() { omp_destroy_lock(&own); }
  RuntimeLock(const RuntimeLock &) = delete;
  void lock() { omp_set_lock(&own); }
  void unlock() { omp_unset_lock(&own); }

private:
  omp_lock_t own;
};

} // namespace synthesizer

#endif
