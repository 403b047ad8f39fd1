//===- ThreadStates.cpp - Whether threads sleep ---------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/ThreadStates.h"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <unistd.h>

namespace synthesizer {

ThreadStates::~ThreadStates() {
  for (const auto &[thread, file] : files)
    close(file);
}

/// /proc has "ID (NAME) STATE ..." of a thread.
std::optional<bool> ThreadStates::sleeps(pid_t thread) {
  const std::lock_guard guard(mutex);
  for (int attempt = 0; attempt < 2; ++attempt) {
    auto found = files.find(thread);
    if (found == files.end())
      found = files.emplace(thread, open(thread)).first;
    char text[64]; // the name has 15 characters at most
    const ssize_t length = found->second < 0 ? -1 : pread(found->second, text, sizeof text, 0);
    const std::string_view line(text, length > 0 ? static_cast<std::size_t>(length) : 0);
    if (const auto name = line.rfind(") "); name != line.npos && name + 2 < line.size())
      return line[name + 2] == 'S';
    if (found->second >= 0) // of an earlier thread that had the number
      close(found->second);
    files.erase(found);
  }
  return std::nullopt;
}

/// Closes all others where no more may be open.
int ThreadStates::open(pid_t thread) {
  const std::string path = "/proc/self/task/" + std::to_string(thread) + "/stat";
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file >= 0 || (errno != EMFILE && errno != ENFILE))
    return file;
  for (const auto &[other, opened] : files)
    close(opened);
  files.clear();
  return ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
}

} // namespace synthesizer
