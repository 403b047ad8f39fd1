//===- memory_own.c - What of memory each thread has its own -------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The serial program has one place for what OpenMP's threads have one each: variables of tasks, of
// the functions that they call and of clauses, what tasks allocate, and what is thread-local.
//
//===----------------------------------------------------------------------===//
#include "memory_profile.h"

void memory_add_private(struct memory_profile *m, struct prophet_memory_range variable) {
  struct prophet_memory_range *around = &m->private_around;
  if (m->private_count == MEMORY_RANGES || !variable.size)
    return;
  m->private_variables[m->private_count++] = variable;
  const uint64_t end = variable.address + variable.size, last = around->address + around->size;
  if (!around->size || variable.address < around->address)
    around->address = variable.address;
  around->size = (end > last ? end : last) - around->address;
}

static bool is_private(const struct memory_profile *m, uint64_t address) {
  if (!memory_is_in(address, m->private_around))
    return false;
  for (uint32_t i = 0; i < m->private_count; ++i)
    if (memory_is_in(address, m->private_variables[i]))
      return true;
  return false;
}

/**
 * Is the address a variable that the latest task of the section at `depth` has declared, or a
 * function that it has called, or a task inside? Each of OpenMP's threads has such on a stack of
 * its own. `here` is how far the stack goes now: if that is MEMORY_STACK from the task or more, it
 * is another stack. Each has variables of its own that are thread-local, too, and its heap: `block`
 * is where the address is on that, or null.
 */
static bool is_own(const struct memory_profile *m, uint32_t depth, uint64_t address, uintptr_t here,
                   const struct memory_block *block) {
  const struct memory_frame *frame = &m->frames[depth - 1];
  if (!frame->task)
    return false;
  if (block ? block->born > frame->born
            : memory_is_in(address, m->thread_variables) || is_private(m, address))
    return true;
  for (uint32_t i = frame->ranges; i < m->ranges; ++i)
    if (memory_is_in(address, m->own[i]))
      return true;
  return address >= here && address < frame->task && frame->task - here < MEMORY_STACK;
}

unsigned memory_own_of_task(struct memory_profile *m, uint64_t address, unsigned kind,
                            uintptr_t here) {
  struct memory_block *block = m->blocks.live ? blocks_find(&m->blocks, address, 1) : NULL;
  const bool outermost = is_own(m, 1, address, here, block);
  const bool own = m->depth == 1 ? outermost : is_own(m, m->depth, address, here, block);
  if (block)
    block->seen = true;
  return kind | (own ? MEMORY_OWN : 0) | (outermost ? MEMORY_OWN_OUTERMOST : 0);
}

void memory_end_task(struct memory_profile *m) {
  const uint64_t born = m->frames[m->depth - 1].born;
  const struct memory_block *blocks = m->blocks.blocks, *block = blocks_newest(&m->blocks);
  while (block->born > born && !block->seen)
    block = &blocks[block->older];
  if (block->born > born) {
    memory_catch_up(m);
    for (uint32_t i = 0; i < m->view_count; ++i)
      if (m->views[i].depth == m->depth)
        log_share(&m->views[i].log, &m->blocks, born);
  }
  if (m->depth == 1)
    blocks_forget(&m->blocks);
}
