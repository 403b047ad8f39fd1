//===- arena.c - Memory by bump pointer ----------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "arena.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

void *arena_reserve(size_t bytes) {
  int saved = errno; // the program's, in the middle of which this may be
  void *base =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  errno = saved;
  return base == MAP_FAILED ? NULL : base;
}

void *arena_reserve_large(size_t bytes) {
  void *base = arena_reserve(bytes);
#ifdef MADV_HUGEPAGE
  int saved = errno;
  if (base)
    madvise(base, bytes, MADV_HUGEPAGE);
  errno = saved;
#endif
  return base;
}

void arena_release(void *base, size_t bytes) {
  if (base)
    munmap(base, bytes);
}

void arena_discard(void *base, size_t bytes) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t from = ((uintptr_t)base + page - 1) / page * page;
  uintptr_t to = ((uintptr_t)base + bytes) / page * page;
  if (from < to)
    madvise((void *)from, to - from, MADV_DONTNEED);
}

void arena_warm(void *base, size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  int saved = errno;
  if (madvise(base, bytes, MADV_POPULATE_WRITE) == 0)
    return;
  errno = saved;
#endif
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  for (size_t at = 0; at < bytes; at += page)
    ((volatile char *)base)[at] = 0;
}
