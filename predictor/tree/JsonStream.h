//===- JsonStream.h - A source of JSON as RapidJSON reads it ----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Files.h"

#include <cstdint>
#include <cstdlib>
#include <rapidjson/error/error.h>
#include <string>

namespace prophet {

/// RapidJSON's concept of an input stream, from blocks of bytes, which remembers where lines begin.
class JsonStream {
public:
  using Ch = char;

  /// Passes by a byte order mark.
  explicit JsonStream(ByteSource &source);

  char Peek() { return atEnd() ? '\0' : *cursor; }
  char Take() { return atEnd() ? '\0' : *cursor++; }
  /// Bytes of the text that were taken.
  std::size_t Tell() const { return before + static_cast<std::size_t>(cursor - block); }
  // The concept has them for texts that are parsed in place.
  char *PutBegin() { std::abort(); }
  void Put(char) { std::abort(); }
  void Flush() { std::abort(); }
  std::size_t PutEnd(char *) { std::abort(); }

  /// Whether no byte is left. A byte of 0 is none that ends the text.
  bool atEnd() { return cursor == limit && !refill(); }

  /// "what is wrong; what to do" about the `error` at `offset`, with line, column and byte.
  std::string describe(rapidjson::ParseErrorCode error, std::size_t offset);

private:
  ByteSource &source;
  const char *cursor = nullptr;
  const char *limit = nullptr;
  const char *block = nullptr;
  std::size_t before = 0;    ///< bytes of the text in front of the present block
  std::size_t lineStart = 0; ///< where the line that the block begins in starts in the text
  std::size_t line = 1;      ///< that line

  bool refill();
  void countLines(const char *end);
};

} // namespace prophet
