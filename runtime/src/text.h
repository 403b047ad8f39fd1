//===- text.h - Writing text from a signal handler ---------------*- C -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// JSON into a fixed buffer, without stdio, locale or heap.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TEXT_BUFFER = 1 << 16 };

/** Takes a piece of the text; false when that failed. */
typedef bool (*text_sink)(void *context, const char *bytes, size_t size);

struct text {
  text_sink sink;
  void *context;
  size_t size;
  bool failed; ///< the sink failed once; the rest is dropped
  char buffer[TEXT_BUFFER];
};

void text_init(struct text *out, text_sink sink, void *context);
/** Hands the rest to the sink. False when any piece could not be written. */
bool text_finish(struct text *out);

void text_char(struct text *out, char c);
void text_raw(struct text *out, const char *string);
void text_u64(struct text *out, uint64_t value);
/** `value` with exactly `width` digits. */
void text_padded(struct text *out, uint64_t value, unsigned width);
/** whole + billionths / 1e9, without trailing zeros. */
void text_decimal(struct text *out, uint64_t whole, uint32_t billionths);

/** One character of a JSON string, escaped where it must be. \pre c < 0x80 */
void text_json_char(struct text *out, char c);
/** The inside of a JSON string. What is not UTF-8 becomes U+FFFD. */
void text_json_chars(struct text *out, const char *bytes, size_t size);
/** A JSON string. */
void text_json(struct text *out, const char *string);
/** "key": */
void text_key(struct text *out, const char *key);

#ifdef __cplusplus
}
#endif
