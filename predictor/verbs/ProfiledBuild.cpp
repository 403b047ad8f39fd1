//===- ProfiledBuild.cpp - Compiling with the plugin ----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/ProfiledBuild.h"

#include <algorithm>
#include <string_view>

namespace prophet {

/// The version that Clang says _OPENMP is, without the later declarations of its omp.h that only
/// a compiler with OpenMP on can read: 4.5.
constexpr const char *OpenMPMacro = "-D_OPENMP=201511";

static bool turnsOpenMPOn(std::string_view flag) {
  return flag == "-fopenmp" || flag.starts_with("-fopenmp=");
}

static bool isForOpenMP(std::string_view flag) {
  return turnsOpenMPOn(flag) || flag == "-fopenmp-simd" || flag == "-lgomp" || flag == "-lomp" ||
         flag == "-liomp5";
}

KeptArguments withoutOpenMP(const std::vector<std::string> &arguments) {
  KeptArguments result{{"-fplugin-arg-prophet-openmp"}, {}};
  for (const std::string &argument : arguments) {
    if (turnsOpenMPOn(argument))
      result.kept.push_back(OpenMPMacro);
    (isForOpenMP(argument) ? result.dropped : result.kept).push_back(argument);
  }
  return result;
}

std::vector<std::string> profiledCommand(const Installation &place,
                                         const std::vector<std::string> &clang,
                                         const std::vector<std::string> &arguments) {
  std::vector<std::string> all = clang;
  all.insert(all.end(), {"-fplugin=" + place.plugin, "-I" + place.include});
  all.insert(all.end(), arguments.begin(), arguments.end());
  // The plugin's link stub finds the shared runtime by itself; a static program cannot load one,
  // and its weak reference to the archive's would not pull it in.
  const auto has = [&](const char *flag) {
    return std::ranges::find(arguments, flag) != arguments.end();
  };
  if (has("-static") && has("-fplugin-arg-prophet-memory"))
    all.insert(all.end(),
               {"-L" + place.library, "-Wl,-u,prophet_memory_get_api", "-lprophet-memory"});
  else if (has("-static"))
    all.insert(all.end(), {"-L" + place.library, "-Wl,-u,prophet_runtime_get_api", "-lprophet"});
  return all;
}

} // namespace prophet
