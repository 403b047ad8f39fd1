//===- RunFiles.h - The files of a program's runs ---------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   app.prophet.json          the tree of a run, or of the first of several
//   app.run2.prophet.json     that of the second
//   app.prophet-memory.json   the memory profile that goes with all of them
//   app.prophet-validation.json   what its OpenMP build was measured to do
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <string>
#include <sys/stat.h>

namespace prophet {

/// Where the tree of the `n`th run goes if the first one's goes to `path`.
std::string pathOfRun(const std::string &path, std::uint64_t n);

/// Where the memory profile of a run is whose tree is at `treePath`.
std::string memoryProfileBeside(const std::string &treePath);

/// That profile's file, or that of the first of several runs; "" where there is none.
std::string existingMemoryProfile(const std::string &treePath);

/// The same of what the program's OpenMP build was measured to do.
std::string validationBeside(const std::string &treePath);
std::string existingValidation(const std::string &treePath);

/// `path` as PROPHET_OUT and PROPHET_MEMORY_OUT take it: absolute, since the program may change its
/// directory before it ends, and with nothing for the runtime to expand.
std::string outPattern(const std::string &path);

/// Tells one writing of a file from another: the runtime puts a new file in the old one's place.
class FileIdentity {
public:
  explicit FileIdentity(const std::string &path);

  bool exists() const { return inode != 0; }
  bool operator==(const FileIdentity &other) const {
    return inode == other.inode && changed.tv_sec == other.changed.tv_sec &&
           changed.tv_nsec == other.changed.tv_nsec;
  }

private:
  ino_t inode = 0;
  timespec changed = {};
};

} // namespace prophet
