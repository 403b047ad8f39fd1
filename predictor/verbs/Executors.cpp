//===- Executors.cpp - Where the real runtimes are ------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/Executors.h"

#include "predictor/report/SynthesizedText.h"
#include "predictor/synthesizer/Synthesizer.h"
#include "predictor/verbs/Installation.h"

#include <filesystem>
#include <fmt/format.h>

namespace prophet {

Result<std::string> findExecutor(const EmulationOptions &options) {
  auto program = helperProgram(executorName(options));
  if (!program)
    return program.error();
  std::error_code ignored;
  if (std::filesystem::exists(*program, ignored))
    return *program;
  if (options.paradigm == Paradigm::Tbb)
    return Error{*program + ": no such program, so oneTBB cannot run the tree; install Prophet " +
                 "again where libtbb-dev is, or use --method ff"};
  if (options.paradigm == Paradigm::Cilk)
    return Error{*program + ": no such program, so OpenCilk cannot run the tree; install OpenCilk, "
                            "configure with -DPROPHET_OPENCILK=CLANG++ and install Prophet again, "
                            "or use --method ff"};
  return Error{fmt::format("{}: no such program, so {} cannot run the tree; install Prophet "
                           "again where its compiler is, or use --method ff",
                           *program, executingRuntime(options))};
}

} // namespace prophet
