//===- program.c - Which program a profile is of --------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "program.h"

#include <string.h>

void program_write(struct text *out, const char *command, size_t size, const char *started) {
  text_raw(out, "\"program\": {\"command\": [");
  for (size_t at = 0; at < size; at += strlen(command + at) + 1) {
    text_raw(out, at ? ", " : "");
    text_json(out, command + at);
  }
  text_raw(out, "], \"started\": ");
  text_json(out, started);
  text_char(out, '}');
}
