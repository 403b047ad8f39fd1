//===- Files.h - Opening, reading and replacing files -------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Result.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace prophet {

/// A stream of bytes from a file, standard input or memory, read in blocks.
/// One reader at a time; iterators are handles on the source's only position.
class ByteSource {
public:
  /// Opens `path`, or standard input for "-".
  static Result<std::unique_ptr<ByteSource>> open(const std::string &path);
  /// Reads from memory that outlives the source.
  explicit ByteSource(std::string_view text)
      : read(text.size()), cursor(text.data()), limit(cursor + text.size()) {}
  ~ByteSource();
  ByteSource(const ByteSource &) = delete;
  ByteSource &operator=(const ByteSource &) = delete;

  /// Whether no byte is left: the end of the input, or a read error.
  bool atEnd() { return cursor == limit && !refill(); }
  char current() const { return *cursor; }
  void advance() { ++cursor; }
  /// Bytes taken from the file so far, in whole blocks; all of them once at the end.
  std::uint64_t bytesRead() const { return read; }
  /// errno of the read that failed, or 0.
  int readError() const { return failure; }

  class Iterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char *;
    using reference = char;

    /// The end of any source.
    Iterator() = default;
    explicit Iterator(ByteSource &source) : source(&source) {}
    char operator*() const { return source->current(); }
    Iterator &operator++() {
      source->advance();
      return *this;
    }
    void operator++(int) { source->advance(); }
    /// Only a comparison with the end means anything.
    bool operator==(const Iterator &) const { return source->atEnd(); }

  private:
    ByteSource *source = nullptr;
  };

private:
  ByteSource(int fd, bool owned);
  bool refill();

  int fd = -1;
  bool owned = false;
  int failure = 0;
  std::uint64_t read = 0;
  std::unique_ptr<char[]> buffer;
  const char *cursor = nullptr;
  const char *limit = nullptr;
};

/// Writes `text` to `path` so that a reader sees the old file or the whole new one.
/// Something that is not a regular file (a pipe, /dev/null) is written directly.
/// \returns what went wrong, if anything.
std::optional<Error> writeFileAtomically(const std::string &path, std::string_view text);

/// Why no program could put a regular file in the place of `path`, if it is known beforehand.
std::optional<Error> checkReplaceable(const std::string &path);

/// Writes all of `text` to standard output.
/// \returns what went wrong, if anything.
std::optional<Error> writeStandardOutput(std::string_view text);

} // namespace prophet
