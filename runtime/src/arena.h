//===- arena.h - Memory by bump pointer --------------------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The recorder allocates by advancing an index in a large range of addresses that
// the kernel fills with pages as they are touched: no heap, no lock, no system
// call per event, and pointers stay valid.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <stdbool.h>
#include <stddef.h>

/** Reserves `bytes` of zeroed memory, or returns null. Costs no memory until touched. */
void *arena_reserve(size_t bytes);

/** The same for what is filled fast, in large pages where the system has them. */
void *arena_reserve_large(size_t bytes);

/** Gives a reserved range back. */
void arena_release(void *base, size_t bytes);

/** Gives the pages inside [base, base + bytes) back; they read as zero afterwards. */
void arena_discard(void *base, size_t bytes);

/** Has the kernel provide the pages of [base, base + bytes) now. */
void arena_warm(void *base, size_t bytes);
