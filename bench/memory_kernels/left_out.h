//===- left_out.h - Calls that these runtimes do nothing at ------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tells whose memory it is, which runtimes that only look at lines need not know.
//
//===----------------------------------------------------------------------===//
#pragma once

static void range(unsigned long long address, unsigned long long size) {
  (void)address, (void)size;
}
static void region(unsigned change) { (void)change; }
static void reallocated(unsigned long long old, unsigned long long address,
                        unsigned long long size) {
  (void)old, (void)address, (void)size;
}
static void freed(unsigned long long address) { (void)address; }
