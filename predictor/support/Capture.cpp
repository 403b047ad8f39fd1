//===- Capture.cpp - Running a program for its output -----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/support/Capture.h"

#include "predictor/support/Text.h"

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
/// A file in memory that a program writes into.
class Sink {
public:
  Sink() : fd(::memfd_create("prophet", MFD_CLOEXEC)) {}
  ~Sink() {
    if (fd >= 0)
      ::close(fd);
  }
  Sink(const Sink &) = delete;
  Sink &operator=(const Sink &) = delete;

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
  std::set<std::string> names;
  std::vector<std::string> all;
  for (const auto &[name, value] : changes) {
    names.insert(name);
    if (value)
      all.push_back(name + "=" + *value);
  }
  for (char **variable = environ; *variable; ++variable) {
    std::string_view text = *variable;
    if (!names.contains(std::string(text.substr(0, text.find('=')))))
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
                             const Environment &environment, CaptureErrors errors) {
  Sink output, errorOutput;
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
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
  ProcessEnd end = waitFor(child);
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
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return Error{fmt::format("{}: {}; check the name and its permissions", printable(path),
                             std::strerror(errno))};
  return std::string(std::istreambuf_iterator<char>(file), {});
}

} // namespace prophet
