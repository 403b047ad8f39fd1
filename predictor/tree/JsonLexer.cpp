//===- JsonLexer.cpp - The tokens of a JSON text ----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/tree/JsonLexer.h"

#include "predictor/support/Text.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

namespace prophet {

JsonLexer::JsonLexer(ByteSource &source) : source(source) {
  static constexpr std::string_view ByteOrderMark = "\xEF\xBB\xBF";
  if (refill() && std::string_view(cursor, limit).starts_with(ByteOrderMark))
    cursor += ByteOrderMark.size();
}

bool JsonLexer::refill() {
  before += static_cast<std::uint64_t>(limit - block);
  const std::string_view next = source.next();
  cursor = block = next.data();
  limit = cursor + next.size();
  return !next.empty();
}

/// The byte that is looked at is wrong.
JsonToken JsonLexer::fail(std::string_view what) {
  if (atEnd())
    refuse(JsonToken::End, "");
  else
    report(taken() + 1, what);
  return JsonToken::Error;
}

void JsonLexer::refuse(JsonToken token, const char *expected) {
  if (token == JsonToken::End && taken() == 0)
    wrong = "is empty; run the annotated program to its end to write it";
  else if (token == JsonToken::End && wrong.empty())
    wrong = fmt::format("is cut off at byte {}; run the annotated program again to write it whole",
                        taken());
  else if (token != JsonToken::Error)
    report(taken(), fmt::format("expected {}", expected));
}

void JsonLexer::report(std::uint64_t byte, std::string_view what) {
  if (wrong.empty())
    wrong = fmt::format("line {}, column {} (byte {}): {}; write valid JSON", line,
                        byte - lineStart, byte, what);
}

JsonToken JsonLexer::next() {
  for (;;) {
    if (atEnd())
      return JsonToken::End;
    switch (*cursor) {
    case '\n':
      lineStart = taken() + 1;
      ++line;
      [[fallthrough]];
    case ' ':
    case '\t':
    case '\r':
      ++cursor;
      continue;
    case '{':
      return single(JsonToken::BeginObject);
    case '}':
      return single(JsonToken::EndObject);
    case '[':
      return single(JsonToken::BeginArray);
    case ']':
      return single(JsonToken::EndArray);
    case ',':
      return single(JsonToken::Comma);
    case ':':
      return single(JsonToken::Colon);
    case '"':
      return lexString();
    case 't':
      return literal("true", JsonToken::True);
    case 'f':
      return literal("false", JsonToken::False);
    case 'n':
      return literal("null", JsonToken::Null);
    default:
      return lexNumber();
    }
  }
}

JsonToken JsonLexer::literal(std::string_view word, JsonToken token) {
  for (const char letter : word) {
    if (atEnd() || *cursor != letter)
      return fail("invalid literal");
    ++cursor;
  }
  return token;
}

//===- Numbers ------------------------------------------------------------===//

static bool isDigit(char c) { return c >= '0' && c <= '9'; }

static bool isOfNumber(char c) {
  return isDigit(c) || c == '.' || c == 'e' || c == 'E' || c == '-' || c == '+';
}

JsonToken JsonLexer::lexNumber() {
  if (!isDigit(*cursor) && *cursor != '-')
    return fail("invalid literal");
  const char *begin = cursor;
  while (cursor != limit && isOfNumber(*cursor))
    ++cursor;
  if (cursor != limit)
    return convert({begin, cursor});
  scratch.assign(begin, cursor);
  for (; !atEnd() && isOfNumber(*cursor); ++cursor)
    scratch += *cursor;
  return convert(scratch);
}

/// Where JSON's number at the start of `text` ends; 0 where none does.
static std::size_t numberEnd(std::string_view text) {
  std::size_t at = text.starts_with('-');
  const auto digits = [&] {
    const std::size_t begin = at;
    while (at < text.size() && isDigit(text[at]))
      ++at;
    return at > begin;
  };
  if (at < text.size() && text[at] == '0')
    ++at;
  else if (!digits())
    return 0;
  if (at < text.size() && text[at] == '.' && (++at, !digits()))
    return 0;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-'))
      ++at;
    if (!digits())
      return 0;
  }
  return at;
}

JsonToken JsonLexer::convert(std::string_view digits) {
  const char *end = digits.data() + digits.size();
  const bool leadingZero = digits.size() > 1 && digits[0] == '0';
  if (!leadingZero && digits[0] != '-') {
    const auto [stop, error] = std::from_chars(digits.data(), end, whole);
    if (stop == end && error == std::errc())
      return JsonToken::Count;
  }
  if (numberEnd(digits) != digits.size())
    return fail(fmt::format("invalid number '{}'", printable(digits, 40)));
  // What is too small or too large for a double is told apart by strtod; the locale is C's.
  if (std::from_chars(digits.data(), end, real).ec != std::errc())
    real = std::strtod(std::string(digits).c_str(), nullptr);
  if (std::isfinite(real))
    return JsonToken::Number;
  if (wrong.empty())
    wrong = fmt::format("byte {}: number overflow parsing '{}'; write a number that a double can "
                        "hold",
                        taken(), printable(digits, 40));
  return JsonToken::Error;
}

//===- Strings ------------------------------------------------------------===//

/// Printable ASCII that means itself.
static bool isPlain(char c) {
  return static_cast<unsigned char>(c) - 0x20u < 0x60u && c != '"' && c != '\\';
}

JsonToken JsonLexer::lexString() {
  const char *begin = ++cursor;
  while (cursor != limit && isPlain(*cursor))
    ++cursor;
  value = {begin, cursor};
  if (cursor != limit && *cursor == '"')
    return single(JsonToken::String);
  scratch.assign(value);
  return lexStringSlowly();
}

JsonToken JsonLexer::lexStringSlowly() {
  for (;;) {
    if (atEnd())
      return fail("unterminated string");
    const auto byte = static_cast<unsigned char>(*cursor);
    if (byte == '"')
      break;
    if (byte < 0x20)
      return fail("a string holds a control character");
    if (byte == '\\' ? !lexEscape() : !lexUtf8())
      return JsonToken::Error;
  }
  value = scratch;
  return single(JsonToken::String);
}

/// One character, by the table of well-formed byte sequences (Unicode, table 3-7).
bool JsonLexer::lexUtf8() {
  const auto first = static_cast<unsigned char>(*cursor);
  scratch += *cursor++;
  if (first < 0x80)
    return true;
  const unsigned more = first < 0xC2   ? 0
                        : first < 0xE0 ? 1
                        : first < 0xF0 ? 2
                        : first < 0xF5 ? 3
                                       : 0;
  unsigned low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  unsigned high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  for (unsigned n = 0; n < more; ++n) {
    if (atEnd() || static_cast<unsigned char>(*cursor) < low ||
        static_cast<unsigned char>(*cursor) > high) {
      fail("a string is not UTF-8");
      return false;
    }
    scratch += *cursor++;
    low = 0x80;
    high = 0xBF;
  }
  if (more == 0) {
    --cursor; // the byte itself: it is still there, as nothing was read behind it
    fail("a string is not UTF-8");
  }
  return more > 0;
}

bool JsonLexer::lexEscape() {
  ++cursor;
  if (atEnd()) {
    fail("unterminated string");
    return false;
  }
  static constexpr std::string_view Letters = "\"\\/bfnrt", Meant = "\"\\/\b\f\n\r\t";
  if (*cursor == 'u')
    return lexUnicode();
  const std::size_t at = Letters.find(*cursor);
  if (at == Letters.npos) {
    fail("a string holds an unknown escape");
    return false;
  }
  scratch += Meant[at];
  ++cursor;
  return true;
}

/// Four hexadecimal digits behind the one that is looked at.
bool JsonLexer::lexHex(unsigned &code) {
  code = 0;
  ++cursor;
  for (unsigned n = 0; n < 4; ++n, ++cursor) {
    unsigned digit = 0;
    if (atEnd() || std::from_chars(cursor, cursor + 1, digit, 16).ec != std::errc()) {
      fail("\\u is not followed by four hexadecimal digits");
      return false;
    }
    code = code * 16 + digit;
  }
  return true;
}

bool JsonLexer::lexUnicode() {
  unsigned code = 0, second = 0;
  if (!lexHex(code))
    return false;
  bool paired = code < 0xD800 || code > 0xDFFF;
  if (code >= 0xD800 && code < 0xDC00 && !atEnd() && *cursor == '\\') {
    ++cursor;
    if (!atEnd() && *cursor == 'u') {
      if (!lexHex(second))
        return false;
      paired = second >= 0xDC00 && second <= 0xDFFF;
      code = 0x10000 + ((code - 0xD800) << 10) + (second - 0xDC00);
    }
  }
  if (!paired) {
    fail("a string holds half of a surrogate pair");
    return false;
  }
  if (code < 0x80) {
    scratch += static_cast<char>(code);
    return true;
  }
  const unsigned more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  static constexpr unsigned Lead[] = {0, 0xC0, 0xE0, 0xF0};
  scratch += static_cast<char>(Lead[more] | code >> (6 * more));
  for (unsigned n = more; n-- > 0;)
    scratch += static_cast<char>(0x80 | (code >> (6 * n) & 0x3F));
  return true;
}

} // namespace prophet
