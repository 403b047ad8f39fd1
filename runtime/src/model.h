//===- model.h - What the recorder keeps -------------------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program tree while it grows. A task (Parallel Prophet §IV-B) is a string of
// tokens with lengths; equal tasks share one `item`; a section is a list of runs
// of items, and equal sections share one item as well.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <stdbool.h>
#include <stdint.h>

/** A token is a kind in the low bits and a lock or item number above them. */
enum token_kind {
  TOKEN_U,          ///< computation outside a lock
  TOKEN_L,          ///< computation that holds lock `ref`
  TOKEN_LOCK_OPEN,  ///< what follows, up to TOKEN_LOCK_CLOSE, holds lock `ref`
  TOKEN_LOCK_CLOSE, ///< ends the innermost TOKEN_LOCK_OPEN
  TOKEN_SECTION,    ///< one execution of section item `ref`
};
enum { TOKEN_KIND_BITS = 3, TOKEN_KIND_MASK = (1 << TOKEN_KIND_BITS) - 1 };
#define TOKEN_REF_LIMIT (UINT32_MAX >> TOKEN_KIND_BITS)

static inline uint32_t token_make(enum token_kind kind, uint32_t ref) {
  return (ref << TOKEN_KIND_BITS) | (uint32_t)kind;
}
static inline enum token_kind token_kind(uint32_t token) {
  return (enum token_kind)(token & TOKEN_KIND_MASK);
}
static inline uint32_t token_ref(uint32_t token) { return token >> TOKEN_KIND_BITS; }

enum item_kind {
  ITEM_TASK,    ///< a task
  ITEM_ENTRY,   ///< a U or an L that is nobody's: a child of the root or of a `tasks` section
  ITEM_SECTION, ///< a section of site `site`
};

/** A piece of the tree that stands for `count` equal executions. */
struct item {
  uint8_t kind;
  uint32_t next;  ///< in its hash chain, plus 1; 0 ends the chain
  uint32_t hash;  ///< of what must be equal exactly
  uint32_t site;  ///< ITEM_SECTION
  uint32_t first; ///< into cells (and shapes), or into kept_runs for ITEM_SECTION
  uint32_t size;  ///< number of tokens, or of runs
  uint64_t total; ///< ticks of the first execution
  uint64_t count; ///< executions
};

/** One token's length: of the first execution, which comparisons refer to, and of all together. */
struct cell {
  uint64_t reference, sum;
};

/** `count` executions of `item` in a row. */
struct run {
  uint32_t item, count;
};

/** The run that is growing in the innermost open section. */
struct current_run {
  uint64_t lo, span; ///< a bare task belongs to it when its length is within lo .. lo + span
  uint64_t count;    ///< 0: no run
  uint64_t begin;    ///< the ticks since here, up to the end of its last task, are not yet in `sum`
  uint64_t sum;      ///< ticks of all its tasks
  uint64_t limit;    ///< how far a task of several tokens may be from the first
  uint64_t mark;     ///< `sum` when the last large outlier joined
  uint32_t item;
};

/** A bare task that was seen lately, in the place for lengths like its own. */
struct bare_entry {
  uint64_t lo, span, limit; ///< as in current_run
  uint32_t item;            ///< plus 1; 0 = free
};
enum { BARE_ENTRIES = 256 };

enum frame_kind {
  FRAME_ROOT,    ///< the program
  FRAME_SECTION, ///< an open section that holds tasks only
  FRAME_SPAWN,   ///< an open `tasks` section, which may hold anything
  FRAME_TASK,    ///< an open task that holds more than one U
  FRAME_LOCK,    ///< a held lock
  FRAME_MUTED,   ///< something the tree cannot express; its time is its parent's
  FRAME_KINDS,
};

/** An open construct. Index in `frames` = the handle that its `begin` returned. */
struct frame {
  uint8_t kind;
  uint8_t muted;          ///< FRAME_MUTED: the frame_kind that it stands in for
  bool split;             ///< FRAME_LOCK: TOKEN_LOCK_OPEN has been written
  bool by_hand;           ///< sections, locks: ended without a handle
  bool in_own_task;       ///< sections by hand: the task around it was begun for it
  uint32_t ref;           ///< the lock, or the site
  uint32_t container;     ///< sections: index of the section or root around it
  uint64_t tokens;        ///< where its tokens start
  uint64_t runs;          ///< sections: where its runs start
  uint64_t begin;         ///< sections: recorder_clock when it opened
  uint64_t bucket;        ///< sections: ticks of outliers that runs may still take
  uint64_t filled;        ///< sections: recorder_clock when the bucket was filled last
  uintptr_t stack;        ///< sections: the stack pointer of whoever opened it
  const unsigned *owner;  ///< FRAME_SPAWN: the variable that holds its handle, once known
  struct current_run run; ///< sections: the run of the section around it, while this one is open
};
