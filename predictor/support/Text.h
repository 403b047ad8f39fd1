//===- Text.h - Text to values and values to text -----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace prophet {

/// `text` on one line: control characters as \\xNN, at most `limit` bytes and then "...".
std::string printable(std::string_view text, std::size_t limit = 200);

/// `text` in lines of at most `width` bytes, broken at blanks, each after `indent` blanks.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

/// A whole decimal number in [least, most]; `what` names it in the error.
Result<std::uint64_t> parseCount(std::string_view text, std::string_view what, std::uint64_t least,
                                 std::uint64_t most);

/// A list of thread counts: "2,4,8", ranges "1-16", steps "4-64:4". Sorted, each once.
Result<std::vector<unsigned>> parseThreadList(std::string_view text);

/// The most threads that an estimate may be asked for.
inline constexpr unsigned MaxThreads = 65536;

/// The word of `choices` closest to `word`, or "" where none is close enough to be meant.
std::string closest(std::string_view word, const std::vector<std::string> &choices);

/// "1.234 s", "56.7 ms", "890 us", "12 ns".
std::string formatSeconds(double seconds);
/// "1.97x", "118x".
std::string formatSpeedup(double speedup);
/// "1 thread", "4 threads".
std::string formatThreads(unsigned threads);
/// "12.3 %", "<0.1 %", "0 %", "100 %", "-4.0 %".
std::string formatShare(double share);
/// A count in full up to a million, then "1.23e9".
std::string formatCount(double count);
/// JSON's spelling of a number: shortest that reads back to the same bits; integers without a
/// point.
std::string formatJsonNumber(double value);
/// `text` as a JSON string, quotes included; bytes that are not UTF-8 become U+FFFD.
std::string formatJsonString(std::string_view text);

} // namespace prophet
