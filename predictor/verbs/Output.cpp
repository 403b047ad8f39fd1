//===- Output.cpp - What verbs have in common -----------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/support/Files.h"
#include "predictor/verbs/Verbs.h"

#include <CLI/CLI.hpp>
#include <cstdio>

namespace prophet {

std::optional<Error> writeResult(const std::string &path, std::string_view text) {
  return path.empty() || path == "-" ? writeStandardOutput(text) : writeFileAtomically(path, text);
}

void describeInHelp(CLI::App &verb, std::string text) {
  verb.preparse_callback([&verb, text](std::size_t) { verb.description(text); });
}

void report(std::string_view message) {
  std::string line = "prophet: " + std::string(message) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

} // namespace prophet
