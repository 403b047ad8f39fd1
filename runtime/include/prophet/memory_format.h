//===- prophet/memory_format.h - Names in a memory profile -------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the writer (runtime) and the reader (memmodel) of a memory profile must agree on, besides
// the names in prophet/tree_format.h that mean the same. C and C++.
//
//===----------------------------------------------------------------------===//
#ifndef PROPHET_MEMORY_FORMAT_H
#define PROPHET_MEMORY_FORMAT_H

#define PROPHET_MEMORY_FORMAT "prophet-memory-profile"
#define PROPHET_MEMORY_VERSION 1
/** So many sites that run inside others have room in PROPHET_KEY_INNER. */
#define PROPHET_MEMORY_INNER_SITES 7
/** Appended to a program's name where PROPHET_MEMORY_OUT does not name the file. */
#define PROPHET_MEMORY_SUFFIX ".prophet-memory.json"

/* Keys of the file's object. */
#define PROPHET_KEY_LINE_BYTES "line" /* as a site's, but in bytes */
#define PROPHET_KEY_RATE "rate"
#define PROPHET_KEY_SAMPLED_LINES "sampled_lines"
#define PROPHET_KEY_BINS "bins"
#define PROPHET_KEY_EXACT "exact"
#define PROPHET_KEY_PER_OCTAVE "per_octave"
#define PROPHET_KEY_OUTSIDE "outside"
#define PROPHET_KEY_LOG "log"
#define PROPHET_KEY_INNER "inner"

/* Keys of a site, besides its place and PROPHET_KEY_EXECUTIONS. */
#define PROPHET_KEY_ACCESSES "accesses"
#define PROPHET_KEY_READS "reads"
#define PROPHET_KEY_WRITES "writes"
#define PROPHET_KEY_FLOPS "flops"
#define PROPHET_KEY_INSTRUCTIONS "instructions"
#define PROPHET_KEY_CHAINED "chained"
#define PROPHET_KEY_READ_FIRST "read_first"
#define PROPHET_KEY_CLASSES "classes"
#define PROPHET_KEY_COLD "cold"
#define PROPHET_KEY_REUSE "reuse"
#define PROPHET_KEY_WRITEBACKS "writebacks"
#define PROPHET_KEY_NEVER "never"

/** Names of the classes, in the order of prophet_memory_class. */
#define PROPHET_MEMORY_CLASS_NAMES {"stream", "stride", "indirect", "chase"}

#endif /* PROPHET_MEMORY_FORMAT_H */
