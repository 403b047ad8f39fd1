//===- Capture.h - Running a program for its output ---------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Process.h"
#include "predictor/support/Result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace prophet {

/// Variables, with a value or not to be there. A name that ends in `*` stands for all that begin
/// so, those that have a value here aside.
using Environment = std::vector<std::pair<std::string, std::optional<std::string>>>;

/// What a program wrote, and how it ended.
struct Captured {
  ProcessEnd end;
  std::string output, errors; ///< of standard output and standard error
};

enum class CaptureErrors { No, Yes }; ///< or leave standard error as it is

/// Runs `command` to its end, with `environment` put into this process's.
/// \param input what it reads from standard input; none: this process's
Result<Captured> runCaptured(const std::vector<std::string> &command,
                             const Environment &environment, CaptureErrors errors,
                             std::optional<std::string_view> input = std::nullopt,
                             Deadline deadline = std::nullopt);

/// A directory that goes with all that is in it.
class TemporaryDirectory {
public:
  static Result<TemporaryDirectory> create();
  ~TemporaryDirectory();
  TemporaryDirectory(TemporaryDirectory &&other) : path(std::exchange(other.path, {})) {}
  TemporaryDirectory &operator=(TemporaryDirectory &&) = delete;

  std::string operator/(const std::string &name) const { return path / name; }
  const std::filesystem::path &directory() const { return path; }

private:
  explicit TemporaryDirectory(std::filesystem::path path) : path(std::move(path)) {}
  std::filesystem::path path;
};

/// All of a file.
Result<std::string> readWholeFile(const std::string &path);

} // namespace prophet
