//===- site.c - Reading a SITE string ------------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "site.h"

#include <prophet/tree_format.h>

#include <string.h>

enum site_field { FIELD_KIND, FIELD_FILE, FIELD_LINE, FIELD_NAME, FIELD_CLAUSES, FIELDS };

/** A part of a SITE string, not yet decoded. */
struct piece {
  const char *text;
  size_t size;
  bool quoted; ///< without its quotes, but with \" and \\ in it; otherwise with %XX
};

/** The length of the field at `text`, which starts with a quote: up to one before '|' or the end.
 */
static size_t quoted_size(const char *text) {
  size_t size = 1;
  while (text[size] && !(text[size] == '"' && (text[size + 1] == '|' || !text[size + 1])))
    size += text[size] == '\\' && text[size + 1] ? 2 : 1;
  return size;
}

static void split(const char *text, struct piece fields[FIELDS]) {
  for (int i = 0; i < FIELDS; ++i) {
    bool quoted = *text == '"';
    size_t size = quoted ? quoted_size(text) : strcspn(text, "|");
    fields[i] = (struct piece){text + quoted, size - quoted, quoted};
    text += size + (quoted && text[size] == '"');
    text += *text == '|';
  }
}

static int hex_digit(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/** Takes the next character of `piece`, decoded. */
static char take(struct piece *piece) {
  char c = *piece->text;
  size_t used = 1;
  if (piece->quoted) {
    if (c == '\\' && piece->size >= 2 && (piece->text[1] == '"' || piece->text[1] == '\\')) {
      c = piece->text[1];
      used = 2;
    }
  } else if (c == '%' && piece->size >= 3 && hex_digit(piece->text[1]) >= 0 &&
             hex_digit(piece->text[2]) >= 0) {
    c = (char)(hex_digit(piece->text[1]) * 16 + hex_digit(piece->text[2]));
    used = 3;
  }
  piece->text += used;
  piece->size -= used;
  return c;
}

/** Is `piece` exactly `word`? */
static bool is_word(struct piece piece, const char *word) {
  return piece.size == strlen(word) && memcmp(piece.text, word, piece.size) == 0;
}

/** The next clause of `clauses`: up to a blank outside parentheses. */
static struct piece take_clause(struct piece *clauses) {
  struct piece rest = *clauses;
  int depth = 0;
  size_t size = 0;
  for (; size < rest.size && (depth > 0 || rest.text[size] != ' '); ++size)
    depth += (rest.text[size] == '(') - (rest.text[size] == ')');
  size_t used = size + (size < rest.size);
  *clauses = (struct piece){rest.text + used, rest.size - used, false};
  return (struct piece){rest.text, size, false};
}

static bool is_schedule(struct piece clause) {
  return clause.size > 10 && memcmp(clause.text, "schedule(", 9) == 0 &&
         clause.text[clause.size - 1] == ')';
}

/** Decodes `piece` into the JSON string that is being written. Bytes of UTF-8 stay together. */
static void write_decoded(struct text *out, struct piece piece, bool skip_blanks) {
  char buffer[256];
  size_t size = 0;
  while (piece.size) {
    // A character may take four bytes; it must not be torn at the buffer's end.
    bool boundary = (*piece.text & 0xC0) != 0x80;
    if (size > sizeof buffer - 4 || (size > sizeof buffer - 16 && boundary)) {
      text_json_chars(out, buffer, size);
      size = 0;
    }
    char c = take(&piece);
    if (!skip_blanks || c != ' ')
      buffer[size++] = c;
  }
  text_json_chars(out, buffer, size);
}

static void write_name(struct text *out, const struct piece fields[FIELDS]) {
  if (fields[FIELD_NAME].size) {
    write_decoded(out, fields[FIELD_NAME], false);
    return;
  }
  const struct piece path = fields[FIELD_FILE];
  struct piece file = path;
  for (size_t i = 0; i < path.size; ++i)
    if (path.text[i] == '/')
      file = (struct piece){path.text + i + 1, path.size - i - 1, path.quoted};
  write_decoded(out, file, false);
  text_char(out, ':');
  write_decoded(out, fields[FIELD_LINE], false);
}

static const char *kind_of(struct piece kind) {
  if (is_word(kind, PROPHET_SITE_SECTIONS))
    return PROPHET_SITE_SECTIONS;
  return is_word(kind, PROPHET_SITE_TASKS) ? PROPHET_SITE_TASKS : PROPHET_SITE_PARALLEL_FOR;
}

static uint64_t line_of(struct piece line) {
  uint64_t value = 0;
  for (size_t i = 0; i < line.size && i < 9 && line.text[i] >= '0' && line.text[i] <= '9'; ++i)
    value = value * 10 + (uint64_t)(line.text[i] - '0');
  return value;
}

/** `schedule` without blanks ("static,4"), and in `vars` what is kept for emitting OpenMP. */
static void write_clauses(struct text *out, struct piece clauses, bool nowait) {
  for (struct piece rest = clauses; rest.size;)
    nowait |= is_word(take_clause(&rest), "nowait");
  text_raw(out, nowait ? ", \"nowait\": true" : ", \"nowait\": false");
  for (struct piece rest = clauses; rest.size;) {
    struct piece clause = take_clause(&rest);
    if (!is_schedule(clause))
      continue;
    text_raw(out, ", \"" PROPHET_KEY_SCHEDULE "\": \"");
    write_decoded(out, (struct piece){clause.text + 9, clause.size - 10, false}, true);
    text_char(out, '"');
    break;
  }
  bool any = false;
  for (struct piece rest = clauses; rest.size;) {
    struct piece clause = take_clause(&rest);
    if (clause.size == 0 || is_schedule(clause) || is_word(clause, "nowait"))
      continue;
    text_raw(out, any ? " " : ", \"" PROPHET_KEY_VARS "\": \"");
    write_decoded(out, clause, false);
    any = true;
  }
  if (any)
    text_char(out, '"');
}

static void write_counts(struct text *out, const struct section_counts *counts,
                         const char *miss_event) {
  const struct {
    const char *key;
    uint64_t value;
  } all[] = {{PROPHET_KEY_EXECUTIONS, counts->executions},
             {PROPHET_KEY_INSTRUCTIONS, counts->values[COUNTED_INSTRUCTIONS]},
             {PROPHET_KEY_CYCLES, counts->values[COUNTED_CYCLES]},
             {PROPHET_KEY_LLC_MISSES, counts->values[COUNTED_LLC_MISSES]}};
  text_raw(out, ", \"" PROPHET_KEY_MEMORY "\": {\"" PROPHET_KEY_SOURCE
                "\": \"" PROPHET_COUNTERS_PAPI "\"");
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    text_raw(out, ", ");
    text_key(out, all[i].key);
    text_u64(out, all[i].value);
  }
  text_raw(out, ", \"" PROPHET_KEY_MISS_EVENT "\": ");
  text_json(out, miss_event);
  text_char(out, '}');
}

static void write_place(struct text *out, const struct piece fields[FIELDS]) {
  text_raw(out, "\"" PROPHET_KEY_NAME "\": \"");
  write_name(out, fields);
  text_raw(out, "\", \"" PROPHET_KEY_KIND "\": ");
  text_json(out, kind_of(fields[FIELD_KIND]));
  text_raw(out, ", \"" PROPHET_KEY_FILE "\": \"");
  write_decoded(out, fields[FIELD_FILE], false);
  text_raw(out, "\", \"" PROPHET_KEY_LINE "\": ");
  text_u64(out, line_of(fields[FIELD_LINE]));
}

void site_write_place(struct text *out, const char *text) {
  struct piece fields[FIELDS];
  split(text, fields);
  write_place(out, fields);
}

void site_write(struct text *out, const char *text, bool nowait,
                const struct section_counts *counts, const char *miss_event) {
  struct piece fields[FIELDS];
  split(text, fields);
  text_char(out, '{');
  write_place(out, fields);
  write_clauses(out, fields[FIELD_CLAUSES], nowait);
  if (counts && counts->executions)
    write_counts(out, counts, miss_event);
  text_char(out, '}');
}
