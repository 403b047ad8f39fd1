//===- JsonStream.cpp - A source of JSON as RapidJSON reads it ------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/tree/JsonStream.h"

#include <algorithm>
#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <string_view>

namespace prophet {

JsonStream::JsonStream(ByteSource &source) : source(source) {
  for (const char byte : {'\xEF', '\xBB', '\xBF'}) // a piece of a mark is wrong behind it, too
    if (Peek() == byte)
      Take();
    else
      break;
}

bool JsonStream::refill() {
  countLines(limit);
  before += static_cast<std::size_t>(limit - block);
  const std::string_view next = source.next();
  cursor = block = next.data();
  limit = cursor + next.size();
  return !next.empty();
}

/// Takes the lines of the present block up to `end` into account.
void JsonStream::countLines(const char *end) {
  for (const char *at = block; (at = std::find(at, end, '\n')) != end;) {
    ++line;
    lineStart = before + static_cast<std::size_t>(++at - block);
  }
}

std::string JsonStream::describe(rapidjson::ParseErrorCode error, std::size_t offset) {
  if (atEnd() && Tell() == 0)
    return "is empty; run the annotated program to its end to write it";
  // What is too big is wrong wherever the text ends, and so is a text behind the end.
  const bool isTooBig = error == rapidjson::kParseErrorNumberTooBig;
  if (atEnd() && !isTooBig && error != rapidjson::kParseErrorDocumentRootNotSingular)
    return fmt::format("is cut off at byte {}; run the annotated program again to write it whole",
                       Tell());
  // No token goes over the end of a line: where the error is in an earlier block, it is in the line
  // that this one begins in.
  if (offset > before)
    countLines(block + std::min(offset - before, static_cast<std::size_t>(limit - block)));
  std::string_view what = rapidjson::GetParseError_En(error);
  if (what.ends_with('.'))
    what.remove_suffix(1);
  return fmt::format("line {}, column {} (byte {}): {}; write {}", line, offset + 1 - lineStart,
                     offset + 1, what, isTooBig ? "a number that a double can hold" : "valid JSON");
}

} // namespace prophet
