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

#include <string.h>

/** Of the private variables, by address, how many begin at `address` or before. */
static uint32_t private_up_to(const struct memory_profile *m, uint64_t address) {
  uint32_t begin = 0, end = m->private_count;
  while (begin < end) {
    const uint32_t middle = (begin + end) / 2;
    if (m->private_variables[middle].address <= address)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

void memory_add_private(struct memory_profile *m, struct prophet_memory_range variable) {
  struct prophet_memory_range *all = m->private_variables, *around = &m->private_around;
  const uint32_t at = private_up_to(m, variable.address);
  const bool is_known = at && all[at - 1].address == variable.address;
  if (is_known || m->private_count == MEMORY_RANGES || !variable.size)
    return;
  memmove(&all[at + 1], &all[at], (m->private_count++ - at) * sizeof *all);
  all[at] = variable;
  const struct prophet_memory_range last = all[m->private_count - 1];
  *around =
      (struct prophet_memory_range){all[0].address, last.address + last.size - all[0].address};
}

static bool is_private(const struct memory_profile *m, uint64_t address) {
  const uint32_t at = private_up_to(m, address);
  return at && memory_is_in(address, m->private_variables[at - 1]);
}

void memory_reallocate(struct memory_profile *m, uint64_t old, uint64_t address, uint64_t size) {
  if (!address && size)
    return;
  if (m->blocks.live && address == old && blocks_resize(&m->blocks, address, size))
    return; // it is the same one
  memory_free(m, old);
  memory_allocate(m, address, size);
}

void memory_change_region(struct memory_profile *m, unsigned change) {
  if (change == PROPHET_MEMORY_REGION_END) {
    m->region_count -= m->region_count > 0;
    if (!m->region_count && !m->depth)
      blocks_forget(&m->blocks, 0);
    return;
  }
  if (m->region_count++ < MEMORY_REGIONS)
    m->regions[m->region_count - 1] =
        (struct memory_region){m->blocks.born, m->depth, change == PROPHET_MEMORY_SINGLE};
}

/** Of the latest task of a section, or of the OpenMP `parallel` around. */
static bool is_own_block(const struct memory_frame *frame, const struct memory_block *block) {
  return block->born > frame->born ||
         (block->born > frame->around && block->born <= frame->opened && !block->single);
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
  if (block ? is_own_block(frame, block)
            : memory_is_in(address, m->thread_variables) || is_private(m, address))
    return true;
  for (uint32_t i = frame->ranges; i < m->ranges; ++i)
    if (memory_is_in(address, m->own[i]))
      return true;
  return address >= here && address < frame->task && frame->task - here < MEMORY_STACK;
}

unsigned memory_own_of_task(struct memory_profile *m, uint64_t address, unsigned kind,
                            uintptr_t here) {
  if (kind & PROPHET_MEMORY_OF_THREAD) {
    // The number is of the team around: of the tasks directly in it each thread has its own.
    const uint32_t depth =
        m->region_count ? memory_region(m) ? memory_region(m)->depth : m->depth : 0;
    const bool outer = m->frames[0].task && depth == 0;
    const bool inner = m->frames[m->depth - 1].task && depth + 1 == m->depth;
    return (kind & ~PROPHET_MEMORY_OF_THREAD) | (inner ? MEMORY_OWN : 0) |
           (outer ? MEMORY_OWN_OUTERMOST : 0);
  }
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
  if (m->depth == 1) // what a region around has stays
    blocks_forget(&m->blocks, m->region_count ? m->frames[0].opened : 0);
}
