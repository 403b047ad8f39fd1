//===- Files.cpp - Opening, reading and replacing files ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/support/Files.h"

#include "predictor/support/Text.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace prophet {

static constexpr std::size_t BlockSize = 256 * 1024;

ByteSource::ByteSource(int fd, bool owned)
    : fd(fd), owned(owned), buffer(std::make_unique_for_overwrite<char[]>(BlockSize)) {}

ByteSource::~ByteSource() {
  if (owned)
    ::close(fd);
}

Result<std::unique_ptr<ByteSource>> ByteSource::open(const std::string &path) {
  if (path == "-")
    return std::unique_ptr<ByteSource>(new ByteSource(STDIN_FILENO, false));
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return Error{fmt::format("{}: {}; check the name and its permissions", printable(path),
                             std::strerror(errno))};
  std::unique_ptr<ByteSource> source(new ByteSource(fd, true));
  struct stat status{};
  if (::fstat(fd, &status) == 0 && S_ISDIR(status.st_mode))
    return Error{fmt::format("{}: is a directory; name the program tree in it", printable(path))};
  source->isRewindable = S_ISREG(status.st_mode);
  return source;
}

void ByteSource::rewind() {
  unread = memory;
  if (isRewindable && ::lseek(fd, 0, SEEK_SET) != 0)
    failure = errno;
}

std::string_view ByteSource::next() {
  if (fd < 0)
    return std::exchange(unread, {});
  if (failure)
    return {};
  ssize_t got;
  do
    got = ::read(fd, buffer.get(), BlockSize);
  while (got < 0 && errno == EINTR);
  if (got < 0)
    failure = errno;
  return {buffer.get(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
}

/// Writes everything; the errno of the write that failed, or 0.
static int writeAll(int fd, std::string_view text) {
  while (!text.empty()) {
    ssize_t put = ::write(fd, text.data(), text.size());
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      return errno;
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return 0;
}

static Error writeError(const std::string &path, int code) {
  return Error{fmt::format("{}: cannot write: {}; choose another place with -o", printable(path),
                           std::strerror(code))};
}

static std::optional<Error> writeDirectly(const std::string &path, std::string_view text) {
  int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0)
    return writeError(path, errno);
  int code = writeAll(fd, text);
  if (::close(fd) != 0 && code == 0)
    code = errno;
  if (code)
    return writeError(path, code);
  return std::nullopt;
}

/// The permissions a new file gets: those of the file it replaces, else the process's default.
static mode_t modeFor(const struct stat *old) {
  if (old)
    return old->st_mode & 07777;
  mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

std::optional<Error> writeFileAtomically(const std::string &path, std::string_view text) {
  struct stat status;
  bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode))
    return writeDirectly(path, text);

  std::string temporary = path + ".XXXXXX";
  int fd = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0)
    return writeError(path, errno);
  int code = writeAll(fd, text);
  if (code == 0 && ::fchmod(fd, modeFor(exists ? &status : nullptr)) != 0)
    code = errno;
  if (::close(fd) != 0 && code == 0)
    code = errno;
  if (code == 0 && std::rename(temporary.c_str(), path.c_str()) != 0)
    code = errno;
  if (code == 0)
    return std::nullopt;
  ::unlink(temporary.c_str());
  return writeError(path, code);
}

std::optional<Error> checkReplaceable(const std::string &path) {
  struct stat status;
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    return Error{fmt::format("{}: is not a regular file; name one with -o", printable(path))};
  auto slash = path.rfind('/');
  std::string directory = slash == path.npos ? "." : path.substr(0, slash + 1);
  if (::access(directory.c_str(), W_OK | X_OK) != 0)
    return writeError(path, errno);
  return std::nullopt;
}

std::optional<Error> writeStandardOutput(std::string_view text) {
  if (int code = writeAll(STDOUT_FILENO, text))
    return Error{fmt::format("standard output: cannot write: {}; choose a file with -o",
                             std::strerror(code))};
  return std::nullopt;
}

} // namespace prophet
