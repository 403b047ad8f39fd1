//===- main.cpp - The emulator beside the real runtimes -------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   real_runtimes [--samples N] [--threads 2,4,...] [--runtime libomp|libgomp] ...
//
// Draws random programs of the paper's patterns (Parallel Prophet §VII-B), has the
// real libomp and libgomp run them (predictor/synthesizer), and prints how far the
// emulator's speedups are from theirs: in virtual time, or with threads that spin.
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

using namespace prophet;
using namespace real_runtimes;

/// What runs are charged for.
static Result<Overheads> overheadsOf(const Options &options, OmpRuntime runtime) {
  if (options.table == "none" || (options.table.empty() && !options.spin))
    return Overheads::none();
  if (options.table.empty() || options.table == "built-in")
    return Overheads::typical(runtime);
  auto table = readMachineOverheads(options.table, runtime);
  if (!table)
    return table.error();
  if (!*table)
    return Error{options.table + ": has no overheads of " + runtimeName(runtime) +
                 "; measure them with 'prophet calibrate'"};
  return **table;
}

static std::optional<Error> compareAll(const Options &options) {
  auto libomp = overheadsOf(options, OmpRuntime::Libomp);
  if (!libomp)
    return libomp.error();
  auto libgomp = overheadsOf(options, OmpRuntime::Libgomp);
  if (!libgomp)
    return libgomp.error();
  Comparison comparison(options, *libomp, *libgomp);
  const bool terminal = ::isatty(STDERR_FILENO);
  for (unsigned sample = 0; sample < options.samples; ++sample)
    for (const Pattern &pattern : patterns())
      for (const std::string &runtime : options.runtimes) {
        if (!among(options.patterns, pattern.name) || (options.patterns.empty() && pattern.tasks))
          continue;
        if (pattern.tasks == Paradigm::Tbb && runtime != options.runtimes.front())
          continue; // once
        if (terminal)
          fmt::print(stderr, "\r\033[K{} of {}: {}, {}", sample + 1, options.samples, pattern.name,
                     runtime);
        const auto which = runtime == "libomp" ? OmpRuntime::Libomp : OmpRuntime::Libgomp;
        if (auto error = comparison.compare(pattern, which, options.seed + sample))
          return Error{fmt::format("{} (--pattern {} --seed {})", error->message, pattern.name,
                                   options.seed + sample)};
      }
  if (terminal)
    fmt::print(stderr, "\r\033[K");
  comparison.print();
  return std::nullopt;
}

int main(int argc, char **argv) {
  CLI::App app("The emulator's speedups beside those of the real OpenMP runtimes");
  Options options;
  options.declare(app);
  CLI11_PARSE(app, argc, argv);
  if (const auto error = compareAll(options)) {
    fmt::print(stderr, "real_runtimes: {}\n", error->message);
    return 2;
  }
  return 0;
}
