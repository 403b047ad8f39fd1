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
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace prophet {

/// A stream of bytes from a file, standard input or memory, read in blocks.
class ByteSource {
public:
  /// Opens `path`, or standard input for "-".
  static Result<std::unique_ptr<ByteSource>> open(const std::string &path);
  /// Reads from memory that outlives the source.
  explicit ByteSource(std::string_view text) : memory(text), unread(text) {}
  ~ByteSource();
  ByteSource(const ByteSource &) = delete;
  ByteSource &operator=(const ByteSource &) = delete;

  /// The next block, which lasts until the one after it is asked for; empty at the end of the
  /// input, or after a read error.
  std::string_view next();
  /// Whether the source can be read a second time: pipes cannot.
  bool canRewind() const { return isRewindable || fd < 0; }
  /// Has `next` begin again. \pre canRewind(), or nothing was read.
  void rewind();
  /// errno of the read that failed, or 0.
  int readError() const { return failure; }

private:
  ByteSource(int fd, bool owned);

  int fd = -1;
  bool owned = false;
  int failure = 0;
  std::unique_ptr<char[]> buffer;
  bool isRewindable = false;       ///< a regular file
  std::string_view memory, unread; ///< of memory: all of it, and the rest
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
