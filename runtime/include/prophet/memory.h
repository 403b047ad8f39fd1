/*===- prophet/memory.h - The memory profile's C ABI -------------*- C -*-===*\
|*
|* Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*
|* What a program that was built with -fplugin-arg-prophet-memory and
|* libprophet-memory know of each other. C89.
|*
|* Every access to memory first passes a filter that the plugin adds to it:
|*
|*   if ((unsigned)(address >> 6) * PROPHET_MEMORY_HASH < threshold)
|*     touch(address, group);
|*
|* so that a line is always in the sample or never. The threshold is a variable of the
|* program's: the runtime lowers it. A table says for how many lines from one on no filter is
|* needed, where addresses move steadily or many lie side by side. Accesses that lie close
|* together share a filter and are a group: GROUP[0] of them, each OFFSET from `address`, then
|* SIZE << 8 | KIND.
|* A kind is a class, twice, plus 1 for a write. What is known to lie in one line, and is of one
|* class, has a call of its own, touch_line. Where a group reads and writes, reads come first.
|*
\*===--------------------------------------------------------------------===*/
#ifndef PROPHET_MEMORY_H
#define PROPHET_MEMORY_H

#include "profile.h"

#define PROPHET_MEMORY_LINE 64
#define PROPHET_MEMORY_LINE_SHIFT 6
#define PROPHET_MEMORY_HASH 0x9E3779B1u
/** Lines from which on a range is a stream: before that prefetchers have not seen that it is. */
#define PROPHET_MEMORY_RANGE_STREAMS 8

/* The table has as many entries as these highest bits of a hash have values. */
#define PROPHET_MEMORY_AHEAD_BITS 10
#define PROPHET_MEMORY_AHEAD (1 << PROPHET_MEMORY_AHEAD_BITS)

/** How an access finds its address, which the compiler knows. */
enum prophet_memory_class {
  PROPHET_MEMORY_STREAM,   /**< steps of at most a line, or none */
  PROPHET_MEMORY_STRIDE,   /**< constant steps that are larger */
  PROPHET_MEMORY_INDIRECT, /**< computed, or loaded from elsewhere: a[b[i]] */
  PROPHET_MEMORY_CHASE,    /**< loaded from where the one before it led: p = p->next */
  PROPHET_MEMORY_CLASSES
};
enum {
  PROPHET_MEMORY_KINDS = 2 * PROPHET_MEMORY_CLASSES,
  PROPHET_MEMORY_FLOPS = PROPHET_MEMORY_KINDS, /**< beside them: floating-point operations */
  PROPHET_MEMORY_INSTRUCTIONS, /**< and what a processor executes as an instruction of its own */
  PROPHET_MEMORY_CHAINED, /**< floating-point operations that wait for one of the iteration before
                           */
  PROPHET_MEMORY_COUNTS
};
/** Beside a read's kind, in touch_line: the group writes as well. A bit above all kinds. */
#define PROPHET_MEMORY_THEN_WRITE 8u
/** Beside any kind that the runtime is told: the address is by the number of the thread in its
 * team, so that in a task each of OpenMP's threads accesses memory of its own. */
#define PROPHET_MEMORY_OF_THREAD 64u

/** What region() is told. */
enum { PROPHET_MEMORY_REGION_END, PROPHET_MEMORY_PARALLEL, PROPHET_MEMORY_SINGLE };

/** Where a variable is. */
struct prophet_memory_range {
  unsigned long long address, size;
};

/** A program or shared library with filters in it. */
struct prophet_memory_unit {
  unsigned *threshold; /**< 0: nothing passes */
  /** By the highest bits of a line's hash: that line and at least as many as this, one by one
   * upwards, have it that none passes. Downwards the hash H stands for threshold - 1 - H. All 0 is
   * always right. */
  unsigned short *ahead;
  /** The calling thread's accesses so far, by kind, and what else is counted: a variable of the
   * initial-exec TLS model. */
  unsigned long long *(*counts)(void);
  /** From `own` up to `own_end`: variables of which each of OpenMP's threads has another one, in
   * all tasks. */
  const struct prophet_memory_range *own, *own_end;
};

/** The runtime's table. */
struct prophet_memory_api {
  struct prophet_runtime_api calls;
  void (*add_unit)(const struct prophet_memory_unit *unit);
  void (*remove_unit)(const struct prophet_memory_unit *unit);
  void (*touch)(unsigned long long address, const unsigned *group);
  /** As touch for what lies in one line: a kind, or a read's with PROPHET_MEMORY_THEN_WRITE. */
  void (*touch_line)(unsigned long long address, unsigned kind);
  /** As touch for lanes of a vector: those of `mask`, each with its address. One access in group.
   */
  void (*touch_lanes)(const unsigned long long *addresses, unsigned long long mask,
                      const unsigned *group);
  /** All lines of [address, address + size), each one access: those of
   * prophet_memory_range_head() of `kind`, the others of a stream. Counts them, too. */
  void (*touch_range)(unsigned long long address, unsigned long long size, unsigned kind);
  /** [address, address + size) is a variable that the task has declared which began last: each of
   * OpenMP's threads has another one. Until its section's next task begins. */
  void (*own)(unsigned long long address, unsigned long long size);
  /** OpenMP's `parallel` or `single` begins, or the innermost that goes on ends. */
  void (*region)(unsigned change);
  /** The heap has given out [address, address + size), or nothing: address 0. */
  void (*allocated)(unsigned long long address, unsigned long long size);
  /** Of the block at `old`, or of none at 0, it has made [address, address + size); address 0: it
   * has not, but for size 0, which frees that. */
  void (*reallocated)(unsigned long long old, unsigned long long address, unsigned long long size);
  /** It gets the block at `address` back, if that is none of 0. */
  void (*freed)(unsigned long long address);
};
#define PROPHET_MEMORY_API_VERSION 6u

/** How many lines [address, address + size) touches. */
static inline unsigned long long prophet_memory_lines(unsigned long long address,
                                                      unsigned long long size) {
  return size ? ((address + size - 1) >> PROPHET_MEMORY_LINE_SHIFT) -
                    (address >> PROPHET_MEMORY_LINE_SHIFT) + 1
              : 0;
}

/** How many bytes of it are not yet a stream: what is in the first line, or all of a short range.
 */
static inline unsigned long long prophet_memory_range_head(unsigned long long address,
                                                           unsigned long long size) {
  return prophet_memory_lines(address, size) < PROPHET_MEMORY_RANGE_STREAMS
             ? size
             : PROPHET_MEMORY_LINE - address % PROPHET_MEMORY_LINE;
}

#ifdef __cplusplus
extern "C" {
#endif

/** The runtime's table for ABI `version`, or null where this runtime does not speak it. */
const struct prophet_memory_api *prophet_memory_get_api(unsigned version);

#ifdef __cplusplus
}
#endif

#endif /* PROPHET_MEMORY_H */
