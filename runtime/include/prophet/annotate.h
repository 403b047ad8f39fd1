/*===- prophet/annotate.h - Annotations by macros ---------------*- C -*-===*\
|*
|* Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*
|* The annotations of Parallel Prophet (Table II) for any compiler, C89 and C++98 on:
|*
|*   PAR_SEC_BEGIN("rows");
|*   for (i = 0; i < n; ++i) {
|*     PAR_TASK_BEGIN("row");
|*     compute(i);
|*     LOCK_BEGIN(histogram);
|*     add(i);
|*     LOCK_END(histogram);
|*     PAR_TASK_END();
|*   }
|*   PAR_SEC_END(0);
|*
|* Programs link with -lprophet, or with -lprophet-noop to run without a profile.
|* -DPROPHET_DISABLE turns the macros into nothing.
|*
\*===--------------------------------------------------------------------===*/
#ifndef PROPHET_ANNOTATE_H
#define PROPHET_ANNOTATE_H

#ifdef PROPHET_DISABLE

#define PAR_SEC_BEGIN(name) ((void)0)
#define PAR_SEC_END(nowait) ((void)0)
#define PAR_TASK_BEGIN(name) ((void)0)
#define PAR_TASK_END() ((void)0)
#define LOCK_BEGIN(id) ((void)sizeof(id))
#define LOCK_END(id) ((void)sizeof(id))

#else

#include "profile.h"

#define PROPHET_STRING(text) #text
#define PROPHET_LINE(line) PROPHET_STRING(line)
/** The SITE string of a section that begins here; `name` as a string. */
#define PROPHET_SITE(name) "parallel_for|\"" __FILE__ "\"|" PROPHET_LINE(__LINE__) "|" name "|"

/* A call that a function ends with can be a jump, and would seem to come from its caller. */
#ifdef __GNUC__
#define PROPHET_CALL(call)                                                                         \
  __extension__({                                                                                  \
    call;                                                                                          \
    __asm__ __volatile__("");                                                                      \
  })
#else
#define PROPHET_CALL(call) call
#endif

/** A section begins, whose tasks may run in parallel. `name`: a word or a string literal. */
#define PAR_SEC_BEGIN(name) PROPHET_CALL(__prophet_open_section(PROPHET_SITE(#name)))
/** The section ends. `nowait`: true where what follows does not wait for its tasks. */
#define PAR_SEC_END(nowait) PROPHET_CALL(__prophet_close_section((nowait) ? 1 : 0))
/** A task of the section begins. `name` is for the reader of the source. */
#define PAR_TASK_BEGIN(name) PROPHET_CALL(__prophet_open_task())
#define PAR_TASK_END() PROPHET_CALL(__prophet_close_task())
/**
 * A critical section. `id`: an integer or an address, each value of which is a lock of its own,
 * or a string literal, the lock's name.
 */
#define LOCK_BEGIN(id) __prophet_open_lock(#id, (unsigned long)(id))
#define LOCK_END(id) __prophet_close_lock(#id, (unsigned long)(id))

#endif

#endif /* PROPHET_ANNOTATE_H */
