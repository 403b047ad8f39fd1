//===- text.c - Writing text from a signal handler -----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "text.h"

#include <string.h>

void text_init(struct text *out, text_sink sink, void *context) {
  out->sink = sink;
  out->context = context;
  out->size = 0;
  out->failed = false;
}

static void flush(struct text *out) {
  if (out->size && !out->failed && !out->sink(out->context, out->buffer, out->size))
    out->failed = true;
  out->size = 0;
}

bool text_finish(struct text *out) {
  flush(out);
  return !out->failed;
}

void text_char(struct text *out, char c) {
  if (out->size == TEXT_BUFFER)
    flush(out);
  out->buffer[out->size++] = c;
}

void text_raw(struct text *out, const char *string) {
  for (; *string; ++string)
    text_char(out, *string);
}

void text_padded(struct text *out, uint64_t value, unsigned width) {
  char digits[20];
  unsigned count = 0;
  do {
    digits[count++] = (char)('0' + value % 10);
    value /= 10;
  } while (value);
  for (unsigned i = count; i < width; ++i)
    text_char(out, '0');
  while (count)
    text_char(out, digits[--count]);
}

void text_u64(struct text *out, uint64_t value) { text_padded(out, value, 1); }

void text_decimal(struct text *out, uint64_t whole, uint32_t billionths) {
  text_u64(out, whole);
  if (billionths == 0)
    return;
  unsigned digits = 9;
  for (; billionths % 10 == 0; --digits)
    billionths /= 10;
  text_char(out, '.');
  text_padded(out, billionths, digits);
}

void text_json_char(struct text *out, char c) {
  static const char hex[] = "0123456789abcdef";
  if (c == '"' || c == '\\') {
    text_char(out, '\\');
    text_char(out, c);
  } else if ((unsigned char)c < 0x20 || c == 0x7f) {
    text_raw(out, "\\u00");
    text_char(out, hex[(unsigned char)c >> 4]);
    text_char(out, hex[c & 15]);
  } else {
    text_char(out, c);
  }
}

/** Length of the UTF-8 character at `bytes`, or 0 when there is none (RFC 3629). */
static size_t utf8_length(const unsigned char *bytes, size_t size) {
  unsigned char c = bytes[0];
  size_t length = c < 0x80 ? 1 : c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
  if (length == 0 || length > size)
    return 0;
  for (size_t i = 1; i < length; ++i)
    if ((bytes[i] & 0xC0) != 0x80)
      return 0;
  if ((c == 0xE0 && bytes[1] < 0xA0) || (c == 0xED && bytes[1] > 0x9F) ||
      (c == 0xF0 && bytes[1] < 0x90) || (c == 0xF4 && bytes[1] > 0x8F))
    return 0; // overlong, a surrogate, or beyond U+10FFFF
  return length;
}

void text_json_chars(struct text *out, const char *bytes, size_t size) {
  for (size_t i = 0; i < size;) {
    size_t length = utf8_length((const unsigned char *)bytes + i, size - i);
    if (length == 1)
      text_json_char(out, bytes[i]);
    else if (length == 0)
      text_raw(out, "\\ufffd");
    for (size_t k = 0; length > 1 && k < length; ++k)
      text_char(out, bytes[i + k]);
    i += length ? length : 1;
  }
}

void text_json(struct text *out, const char *string) {
  text_char(out, '"');
  text_json_chars(out, string, strlen(string));
  text_char(out, '"');
}

void text_key(struct text *out, const char *key) {
  text_json(out, key);
  text_raw(out, ": ");
}
