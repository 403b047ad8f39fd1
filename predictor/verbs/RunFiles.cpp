//===- RunFiles.cpp - The files of a program's runs -----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/RunFiles.h"

#include <filesystem>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace prophet {

/// A tree's path as what names the program and what ends it: "app" and ".prophet.json".
static std::pair<std::string_view, std::string_view> split(std::string_view path) {
  for (std::string_view end : {".prophet.json", ".json"})
    if (path.ends_with(end))
      return {path.substr(0, path.size() - end.size()), end};
  return {path, {}};
}

std::string pathOfRun(const std::string &path, std::uint64_t n) {
  const auto [app, end] = split(path);
  return n == 1 ? path : fmt::format("{}.run{}{}", app, n, end);
}

static constexpr const char *MemoryProfileEnd = ".prophet-memory.json";
static constexpr const char *ValidationEnd = ".prophet-validation.json";

/// Where a file that ends in `end` is beside the tree at `treePath`.
static std::string beside(const std::string &treePath, const char *end) {
  return fmt::format("{}{}", split(treePath).first, end);
}

/// That file, or that of the first of several runs; "" where there is none.
static std::string existing(const std::string &treePath, const char *end) {
  if (treePath == "-")
    return "";
  const std::string_view app = split(treePath).first;
  std::string_view first = app.substr(0, app.find_last_not_of("0123456789") + 1);
  if (first.size() < app.size() && first.ends_with(".run"))
    first.remove_suffix(std::string_view(".run").size());
  std::error_code ignored;
  for (std::string_view name : {app, first})
    if (std::string path = fmt::format("{}{}", name, end); std::filesystem::exists(path, ignored))
      return path;
  return "";
}

std::string memoryProfileBeside(const std::string &treePath) {
  return beside(treePath, MemoryProfileEnd);
}
std::string existingMemoryProfile(const std::string &treePath) {
  return existing(treePath, MemoryProfileEnd);
}

std::string validationBeside(const std::string &treePath) {
  return beside(treePath, ValidationEnd);
}
std::string existingValidation(const std::string &treePath) {
  return existing(treePath, ValidationEnd);
}

std::string outPattern(const std::string &path) {
  std::string pattern;
  for (char c : std::filesystem::absolute(path).string())
    pattern += c == '%' ? std::string("%%") : std::string(1, c);
  return pattern;
}

FileIdentity::FileIdentity(const std::string &path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0)
    return;
  inode = status.st_ino;
  changed = status.st_ctim;
}

} // namespace prophet
