//===- Capture.cpp - Running a program for its output -----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/support/Capture.h"

#include "predictor/support/Text.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <set>
#include <spawn.h>
#include <sys/mman.h>
#include <unistd.h>

namespace prophet {

namespace {
/// A file in memory that a program writes into, or reads.
class MemoryFile {
public:
  MemoryFile() : fd(::memfd_create("prophet", MFD_CLOEXEC)) {}
  ~MemoryFile() {
    if (fd >= 0)
      ::close(fd);
  }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;

  /// Makes `text` what is read from its beginning. \returns whether there was room.
  bool fill(std::string_view text) const {
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t put =
          ::pwrite(fd, text.data() + done, text.size() - done, static_cast<off_t>(done));
      if (put < 0 && errno == EINTR)
        continue;
      if (put <= 0)
        return false;
      done += static_cast<std::size_t>(put);
    }
    return true;
  }

  std::string text() const {
    std::string all;
    char block[65536];
    for (ssize_t got; (got = ::pread(fd, block, sizeof block, static_cast<off_t>(all.size()))) > 0;)
      all.append(block, static_cast<std::size_t>(got));
    return all;
  }
  const int fd;
};

/// This process's environment with some variables set or taken out.
std::vector<std::string> environmentWith(const Environment &changes) {
  std::set<std::string, std::less<>> names;
  std::vector<std::string_view> beginnings;
  std::vector<std::string> all;
  for (const auto &[name, value] : changes) {
    if (name.ends_with('*'))
      beginnings.push_back(std::string_view(name).substr(0, name.size() - 1));
    names.insert(name);
    if (value)
      all.push_back(name + "=" + *value);
  }
  for (char **variable = environ; *variable; ++variable) {
    std::string_view text = *variable;
    if (!names.contains(text.substr(0, text.find('='))) &&
        std::ranges::none_of(beginnings,
                             [&](auto beginning) { return text.starts_with(beginning); }))
      all.emplace_back(text);
  }
  return all;
}

std::vector<char *> pointersTo(const std::vector<std::string> &texts) {
  std::vector<char *> pointers;
  for (const std::string &text : texts)
    pointers.push_back(const_cast<char *>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}
} // namespace

Result<Captured> runCaptured(const std::vector<std::string> &command,
                             const Environment &environment, CaptureErrors errors,
                             std::optional<std::string_view> input, Deadline deadline) {
  const MemoryFile inputFile, output, errorOutput;
  if (input && !inputFile.fill(*input))
    return Error{fmt::format("{}: its input of {} bytes: {}; make room in memory",
                             printable(command[0]), input->size(), std::strerror(errno))};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  if (input)
    ::posix_spawn_file_actions_adddup2(&actions, inputFile.fd, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output.fd, STDOUT_FILENO);
  if (errors == CaptureErrors::Yes)
    ::posix_spawn_file_actions_adddup2(&actions, errorOutput.fd, STDERR_FILENO);
  std::vector<std::string> variables = environmentWith(environment);
  pid_t child = 0;
  int code = ::posix_spawnp(&child, command[0].c_str(), &actions, nullptr,
                            pointersTo(command).data(), pointersTo(variables).data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (code != 0)
    return Error{fmt::format("{}: cannot run: {}; install it, or see that it is executable",
                             printable(command[0]), std::strerror(code))};
  ProcessEnd end = waitFor(child, deadline);
  return Captured{end, output.text(), errorOutput.text()};
}

Result<TemporaryDirectory> TemporaryDirectory::create() {
  std::error_code code;
  std::filesystem::path parent = std::filesystem::temp_directory_path(code);
  std::string path = (code ? std::filesystem::path("/tmp") : parent) / "prophet.XXXXXX";
  if (!::mkdtemp(path.data()))
    return Error{fmt::format("{}: {}; set TMPDIR to a directory that can be written",
                             printable(path), std::strerror(errno))};
  return TemporaryDirectory(path);
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  if (!path.empty())
    std::filesystem::remove_all(path, ignored);
}

Result<std::string> readWholeFile(const std::string &path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return Error{fmt::format("{}: is a directory; name a file in it", printable(path))};
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return Error{fmt::format("{}: {}; check the name and its permissions", printable(path),
                             std::strerror(errno))};
  return std::string(std::istreambuf_iterator<char>(file), {});
}

} // namespace prophet
