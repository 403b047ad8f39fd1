//===- JsonLexer.h - The tokens of a JSON text --------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RFC 8259, from blocks of bytes: trees have millions of nodes, and reading
// them is most of what a user waits for. Texts that lie within a block are not
// copied.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Files.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace prophet {

enum class JsonToken : std::uint8_t {
  BeginObject,
  EndObject,
  BeginArray,
  EndArray,
  Comma,
  Colon,
  String, ///< text()
  Count,  ///< a whole number from 0: count()
  Number, ///< any other: number()
  True,
  False,
  Null,
  End,  ///< of the text
  Error ///< problem()
};

class JsonLexer {
public:
  explicit JsonLexer(ByteSource &source);

  JsonToken next();

  /// Of the last token, until the next one is asked for.
  std::string_view text() const { return value; }
  std::uint64_t count() const { return whole; }
  double number() const { return real; }

  /// Calls `token`, the last one, an error.
  void refuse(JsonToken token, const char *expected);
  /// "what is wrong; what to do" with line, column and byte; empty while nothing is wrong.
  std::string problem() const { return wrong; }

private:
  ByteSource &source;
  const char *cursor = nullptr;
  const char *limit = nullptr;
  std::uint64_t before = 0;    ///< bytes of the text in front of the present block
  std::uint64_t lineStart = 0; ///< where the line begins in the text
  std::uint64_t line = 1;
  const char *block = nullptr;
  std::string_view value;
  std::string scratch; ///< texts that cross blocks or have escapes
  std::uint64_t whole = 0;
  double real = 0;
  std::string wrong; ///< the first problem

  bool refill();
  bool atEnd() { return cursor == limit && !refill(); }
  /// Bytes of the text that are done with.
  std::uint64_t taken() const { return before + static_cast<std::uint64_t>(cursor - block); }
  JsonToken fail(std::string_view what);
  void report(std::uint64_t byte, std::string_view what);

  JsonToken single(JsonToken token) {
    ++cursor;
    return token;
  }
  JsonToken literal(std::string_view word, JsonToken token);
  JsonToken lexNumber();
  JsonToken convert(std::string_view digits);
  JsonToken lexString();
  JsonToken lexStringSlowly();
  bool lexEscape();
  bool lexUnicode();
  bool lexHex(unsigned &code);
  bool lexUtf8();
};

} // namespace prophet
