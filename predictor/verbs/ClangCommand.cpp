//===- ClangCommand.cpp - The user's compiler options, reused ---------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/ClangCommand.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace prophet {

static bool isCPlusPlus(const std::string &source) {
  static const char *const Known[] = {".cpp", ".cc", ".cxx", ".c++", ".C", ".hpp", ".hh"};
  const std::string extension = std::filesystem::path(source).extension();
  return std::find(std::begin(Known), std::end(Known), extension) != std::end(Known);
}

bool isSourceFile(const std::string &argument) {
  return !argument.starts_with("-") &&
         (isCPlusPlus(argument) || std::filesystem::path(argument).extension() == ".c");
}

std::pair<std::vector<std::string>, std::vector<std::string>>
splitAtMarker(const std::vector<std::string> &words) {
  const auto marker = std::find(words.begin(), words.end(), "--");
  return {{words.begin(), marker}, {marker == words.end() ? marker : marker + 1, words.end()}};
}

std::vector<std::string> clangFor(const std::string &source) {
  const bool cxx = isCPlusPlus(source);
  const char *chosen = std::getenv("PROPHET_CLANG");
  if (chosen && *chosen)
    return {chosen, cxx ? "--driver-mode=g++" : "--driver-mode=gcc"};
  return {llvmFile(cxx ? "bin/clang++" : "bin/clang")};
}

std::string llvmFile(const std::string &path) {
  return (std::filesystem::path(PROPHET_LLVM_BIN).parent_path() / path).string();
}

Compilation::Compilation(std::string source, const std::vector<std::string> &arguments)
    : source(std::move(source)) {
  static const char *const Modes[] = {"-c", "-S", "-E", "-fsyntax-only", "-M", "-MM"};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "-o")
      ++i;
    else if (std::find(std::begin(Modes), std::end(Modes), arguments[i]) == std::end(Modes))
      options.push_back(arguments[i]);
  }
}

/// Whether an argument is for the linker, which wants it after what needs it.
static bool isForLinker(const std::string &option) {
  return option.starts_with("-l") || option.starts_with("-Wl,") || option.ends_with(".o") ||
         option.ends_with(".a") || option.ends_with(".so");
}

std::vector<std::string> Compilation::link(const std::vector<std::string> &added,
                                           const std::string &output) const {
  std::vector<std::string> command = clangFor(source), last;
  for (const std::string &option : options)
    (isForLinker(option) ? last : command).push_back(option);
  command.insert(command.end(), added.begin(), added.end());
  command.insert(command.end(), {source, "-o", output});
  command.insert(command.end(), last.begin(), last.end());
  return command;
}

std::vector<std::string> Compilation::compile(const std::vector<std::string> &added) const {
  std::vector<std::string> command = clangFor(source);
  for (const std::string &option : options)
    if (!isForLinker(option) && !isSourceFile(option))
      command.push_back(option);
  command.insert(command.end(), added.begin(), added.end());
  command.insert(command.end(), {"-c", source, "-o", "/dev/null"});
  return command;
}

bool Compilation::optimizes() const {
  return std::any_of(options.begin(), options.end(),
                     [](const std::string &option) { return option.starts_with("-O"); });
}

} // namespace prophet
