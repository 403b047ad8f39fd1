//===- PlainText.h - The tokens of plain JSON -------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Files.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace prophet {

/// A text's tokens, as far as they are plain: strings without escapes, numbers of at most
/// 18 digits where they are whole. Behind the end, and for what is not plain, there is a 0.
class PlainText {
public:
  explicit PlainText(ByteSource &source) : source(source) {}
  PlainText(const PlainText &) = delete;
  PlainText &operator=(const PlainText &) = delete;

  /// The next character that is no blank.
  char peek() {
    for (;;) {
      while (*cursor == ' ' || *cursor == '\n' || *cursor == '\t' || *cursor == '\r')
        ++cursor;
      if (cursor != limit || !refill(cursor))
        return *cursor;
    }
  }
  void take() { ++cursor; }
  bool atEnd() const { return cursor == limit; }

  /// The string that begins here; lasts until the next call.
  std::optional<std::string_view> string() {
    const char *end = cursor + 1;
    unsigned seen = 0; // the bits of all its bytes
    for (;;) {
      for (; isPlain[static_cast<unsigned char>(*end)]; ++end)
        seen |= static_cast<unsigned char>(*end);
      if (*end == '"')
        break;
      if (end != limit)
        return std::nullopt;
      const auto done = end - cursor;
      if (!refill(cursor))
        return std::nullopt;
      end = cursor + done;
    }
    const std::string_view text(cursor + 1, static_cast<std::size_t>(end - cursor - 1));
    cursor = end + 1;
    return seen < 0x80 || isUtf8(text) ? std::optional(text) : std::nullopt;
  }

  struct Number {
    bool isCount; ///< whole and not negative
    std::uint64_t count;
    double value;
  };
  std::optional<Number> number() {
    const char *end = cursor;
    std::uint64_t count = 0;
    for (; *end >= '0' && *end <= '9'; ++end)
      count = 10 * count + static_cast<std::uint64_t>(*end - '0');
    const bool isShort =
        end != cursor && end - cursor <= 18 && (*cursor != '0' || end == cursor + 1);
    if (!isShort || *end == '.' || *end == 'e' || *end == 'E' || end == limit)
      return longNumber();
    cursor = end;
    return Number{true, count, 0};
  }
  /// Whether `word` stands here; passes by it.
  bool word(std::string_view word);

private:
  static constexpr auto isPlain = [] {
    std::array<bool, 256> plain{};
    for (unsigned c = 0x20; c < 256; ++c)
      plain[c] = c != '"' && c != '\\';
    return plain;
  }();

  ByteSource &source;
  std::string text; ///< what was read and not yet passed by; ends in 0
  const char *cursor = text.c_str();
  const char *limit = cursor; ///< that 0

  static bool isUtf8(std::string_view text);
  bool refill(const char *&keep);
  std::optional<Number> longNumber();
};

} // namespace prophet
