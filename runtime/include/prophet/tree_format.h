//===- prophet/tree_format.h - Names in a program-tree file ------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the writer (runtime) and the reader (predictor) of the program tree must
// agree on. C and C++.
//
//===----------------------------------------------------------------------===//
#ifndef PROPHET_TREE_FORMAT_H
#define PROPHET_TREE_FORMAT_H

#define PROPHET_TREE_FORMAT "prophet-program-tree"
#define PROPHET_TREE_VERSION 1
/** Appended to a program's name where PROPHET_OUT does not name the file. */
#define PROPHET_TREE_SUFFIX ".prophet.json"

/* Keys of the file's object. */
#define PROPHET_KEY_FORMAT "format"
#define PROPHET_KEY_VERSION "version"
#define PROPHET_KEY_TIMEBASE_HZ "timebase_hz"
#define PROPHET_KEY_COMPLETE "complete"
#define PROPHET_KEY_TOLERANCE "tolerance"
#define PROPHET_KEY_PROGRAM "program"
#define PROPHET_KEY_HOST "host"
#define PROPHET_KEY_PROFILER "profiler"
#define PROPHET_KEY_SITES "sites"
#define PROPHET_KEY_LOCKS "locks"
#define PROPHET_KEY_NODES "nodes"
#define PROPHET_KEY_ROOT "root"

/* Keys of `program` and `host`. */
#define PROPHET_KEY_COMMAND "command"
#define PROPHET_KEY_STARTED "started"
#define PROPHET_KEY_CPU "cpu"
#define PROPHET_KEY_LOGICAL_CPUS "logical_cpus"

/* Keys of a site. */
#define PROPHET_KEY_NAME "name"
#define PROPHET_KEY_KIND "kind"
#define PROPHET_KEY_FILE "file"
#define PROPHET_KEY_LINE "line"
#define PROPHET_KEY_NOWAIT "nowait"
#define PROPHET_KEY_SCHEDULE "schedule"
#define PROPHET_KEY_VARS "vars"
#define PROPHET_KEY_MEMORY "memory"

/* Keys of a site's `memory`, and of `profiler`: sums over the site's outermost executions. */
#define PROPHET_KEY_SOURCE "source"
#define PROPHET_KEY_EXECUTIONS "executions"
#define PROPHET_KEY_INSTRUCTIONS "instructions"
#define PROPHET_KEY_CYCLES "cycles"
#define PROPHET_KEY_LLC_MISSES "llc_misses"
#define PROPHET_KEY_MISS_EVENT "miss_event"
#define PROPHET_KEY_COUNTERS "counters"
#define PROPHET_KEY_NO_COUNTERS "no_counters"
#define PROPHET_COUNTERS_PAPI "papi"

/* Keys of a node (with `kind`). */
#define PROPHET_KEY_LENGTH "length"
#define PROPHET_KEY_LOCK "lock"
#define PROPHET_KEY_SITE "site"
#define PROPHET_KEY_CHILDREN "children"

/* Kinds of sites and of nodes. */
#define PROPHET_SITE_PARALLEL_FOR "parallel_for"
#define PROPHET_SITE_SECTIONS "sections"
#define PROPHET_SITE_TASKS "tasks"
#define PROPHET_NODE_U "U"
#define PROPHET_NODE_L "L"
#define PROPHET_NODE_TASK "task"
#define PROPHET_NODE_SECTION "section"
#define PROPHET_NODE_ROOT "root"

#endif /* PROPHET_TREE_FORMAT_H */
