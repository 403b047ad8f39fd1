/*===- prophet/advisor-annotate.h - Intel Advisor's annotations -*- C -*-===*\
|*
|* Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*
|* In place of Intel Advisor's header of this name, so that programs which are
|* annotated for it are profiled unchanged: compile with -I PREFIX/include/prophet/advisor
|* and link with -lprophet. What is said of memory, for Advisor's search for data
|* sharing, evaluates its arguments and does nothing else.
|*
|* ANNOTATE_EXPAND_NULL, as there, or PROPHET_DISABLE turns the macros into nothing.
|*
\*===--------------------------------------------------------------------===*/
#ifndef PROPHET_ADVISOR_ANNOTATE_H
#define PROPHET_ADVISOR_ANNOTATE_H

#define INTEL_ADVISOR_ANNOTATION_VERSION 1.0

#if defined(ANNOTATE_EXPAND_NULL) || defined(PROPHET_DISABLE)

#define PROPHET_SITE_END
#define PROPHET_TASK_END
#define ANNOTATE_SITE_BEGIN(site)
#define ANNOTATE_TASK_BEGIN(task)
#define ANNOTATE_ITERATION_TASK(task)
#define ANNOTATE_LOCK_ACQUIRE(address)
#define ANNOTATE_LOCK_RELEASE(address)
#define ANNOTATE_DISABLE_COLLECTION_PUSH
#define ANNOTATE_DISABLE_COLLECTION_POP
#define ANNOTATE_DISABLE_OBSERVATION_PUSH
#define ANNOTATE_DISABLE_OBSERVATION_POP
#define ANNOTATE_RECORD_ALLOCATION(address, size)
#define ANNOTATE_RECORD_DEALLOCATION(address)
#define ANNOTATE_INDUCTION_USES(address, size)
#define ANNOTATE_REDUCTION_USES(address, size)
#define ANNOTATE_OBSERVE_USES(address, size)
#define ANNOTATE_CLEAR_USES(address)
#define ANNOTATE_AGGREGATE_TASK(count)

#else

#include "annotate.h"

#include <stdlib.h> /* as Advisor's does: programs may rely on it */

#define PROPHET_SITE_END PROPHET_CALL(__prophet_close_section(0))
#define PROPHET_TASK_END PROPHET_CALL(__prophet_close_task())
/* The name is taken as written; a string literal without its quotes. */
#define ANNOTATE_SITE_BEGIN(site) PROPHET_CALL(__prophet_open_section(PROPHET_SITE(#site)))
#define ANNOTATE_TASK_BEGIN(task) PROPHET_CALL(__prophet_open_task())
/** Ends the site's task before, and begins the next; the site's end ends the last. */
#define ANNOTATE_ITERATION_TASK(task) PROPHET_CALL(__prophet_next_task())
#define ANNOTATE_LOCK_ACQUIRE(address) __prophet_open_lock(#address, (unsigned long)(address))
#define ANNOTATE_LOCK_RELEASE(address) __prophet_close_lock(#address, (unsigned long)(address))
/** The time between them belongs to no node. */
#define ANNOTATE_DISABLE_COLLECTION_PUSH __prophet_pause()
#define ANNOTATE_DISABLE_COLLECTION_POP __prophet_resume()
#define ANNOTATE_DISABLE_OBSERVATION_PUSH ((void)0)
#define ANNOTATE_DISABLE_OBSERVATION_POP ((void)0)
#define ANNOTATE_RECORD_ALLOCATION(address, size) ((void)(address), (void)(size))
#define ANNOTATE_RECORD_DEALLOCATION(address) ((void)(address))
#define ANNOTATE_INDUCTION_USES(address, size) ((void)(address), (void)(size))
#define ANNOTATE_REDUCTION_USES(address, size) ((void)(address), (void)(size))
#define ANNOTATE_OBSERVE_USES(address, size) ((void)(address), (void)(size))
#define ANNOTATE_CLEAR_USES(address) ((void)(address))
/** An aggregated task stays one task. */
#define ANNOTATE_AGGREGATE_TASK(count) ((void)(count))

#endif

/* Ends may name what they end, or not. C90 and C++98 have no `...`. */
#if defined(__cplusplus) ? __cplusplus < 201103L                                                   \
                         : !defined(__STDC_VERSION__) || __STDC_VERSION__ < 199901L
#define ANNOTATE_SITE_END(site) PROPHET_SITE_END
#define ANNOTATE_TASK_END(task) PROPHET_TASK_END
#else
#define ANNOTATE_SITE_END(...) PROPHET_SITE_END
#define ANNOTATE_TASK_END(...) PROPHET_TASK_END
#endif

#endif /* PROPHET_ADVISOR_ANNOTATE_H */
