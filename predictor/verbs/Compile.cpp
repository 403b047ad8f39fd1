//===- Compile.cpp - prophet cc, c++ and rewrite ----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// These verbs become another program. Everything the user wrote reaches it
// unchanged; what Prophet adds comes first, and for static links last.
//
//===----------------------------------------------------------------------===//

#include "predictor/support/Files.h"
#include "predictor/support/Text.h"
#include "predictor/verbs/Installation.h"
#include "predictor/verbs/OpenMPVersion.h"
#include "predictor/verbs/ProfiledBuild.h"
#include "predictor/verbs/Vectorization.h"
#include "predictor/verbs/Verbs.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <unistd.h>

namespace prophet {

/// Replaces this process. Returns only where that fails.
static Result<int> become(const std::string &program, const std::vector<std::string> &arguments,
                          std::string_view cure) {
  std::vector<char *> argv = {const_cast<char *>(program.c_str())};
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  ::execvp(program.c_str(), argv.data());
  return Error{fmt::format("{}: {}; {}", printable(program), std::strerror(errno), cure)};
}

static bool asksForHelp(const std::vector<std::string> &arguments) {
  return arguments.empty() || (arguments.size() == 1 && arguments[0] == "--help");
}

/// The user's arguments, for a program whose OpenMP pragmas are annotations; says what is left out.
static std::vector<std::string> fromOpenMP(std::vector<std::string> arguments) {
  std::erase(arguments, "--from-openmp");
  KeptArguments result = withoutOpenMP(arguments);
  if (!result.dropped.empty())
    fmt::print(stderr,
               "prophet: left out {}: the OpenMP pragmas are profiled, in a serial program\n",
               fmt::join(result.dropped, " "));
  return std::move(result.kept);
}

/// Takes `flag` out of the arguments, if it is there.
static bool takeFlag(std::vector<std::string> &arguments, std::string_view flag) {
  return std::erase(arguments, flag) > 0;
}

/// Names the loops of every source that OpenMP would keep from being vectorised.
static std::optional<Error> checkVectorization(std::vector<std::string> arguments) {
  const bool openMP = takeFlag(arguments, "--from-openmp");
  for (const std::string &source : arguments) {
    if (!isSourceFile(source))
      continue;
    std::vector<std::string> options;
    std::copy_if(arguments.begin(), arguments.end(), std::back_inserter(options),
                 [](const std::string &argument) { return !isSourceFile(argument); });
    const Compilation compilation(source, options);
    auto directory = TemporaryDirectory::create();
    if (!directory)
      return directory.error();
    std::vector<std::string> added = {"-fopenmp"};
    if (!openMP) {
      auto version =
          makeOpenMPVersion(compilation, "", ChangeHeaders::Yes, *directory, CaptureErrors::Yes);
      if (!version)
        return version.error();
      if (!*version)
        continue; // the compilation that follows says what is wrong
      added = (*version)->options;
    }
    auto lost = findLostVectorization(compilation, added);
    if (!lost)
      return lost.error();
    for (const LostVectorization &loop : *lost)
      fmt::print(stderr, "{}\n", describe(loop));
  }
  return std::nullopt;
}

static Result<int> compile(const std::string &driver, const char *mode,
                           std::vector<std::string> arguments) {
  auto place = findInstallation();
  if (!place)
    return place.error();
  if (takeFlag(arguments, "--check-vectorization"))
    if (auto error = checkVectorization(arguments))
      return *error;
  const char *chosen = std::getenv("PROPHET_CLANG");
  const bool isChosen = chosen && *chosen;
  const std::string clang = isChosen ? chosen : PROPHET_LLVM_BIN "/" + driver;
  const std::vector<std::string> modes =
      isChosen ? std::vector<std::string>{mode} : std::vector<std::string>();
  const bool openMP = std::ranges::find(arguments, "--from-openmp") != arguments.end();
  return become(clang, profiledCommand(*place, modes, openMP ? fromOpenMP(arguments) : arguments),
                "install clang-19, or set PROPHET_CLANG to the clang of the plugin's LLVM version");
}

static std::string compileHelp(std::string_view verb, std::string_view driver,
                               std::string_view file) {
  return fmt::format(
      "Example:\n"
      "  prophet {0} -O2 {2} -o mandel && prophet run -- ./mandel 512\n\n"
      "Runs {1} with Prophet's plugin and include path; every argument is {1}'s.\n"
      "  --check-vectorization  names loops that OpenMP would keep from being vectorised\n"
      "  --from-openmp  takes '#pragma omp' lines as annotations too, and leaves out -fopenmp\n"
      "PROPHET_CLANG names another clang; it must be of the plugin's LLVM version.\n",
      verb, driver, file);
}

static Result<int> printHelp(const std::string &text) {
  if (auto error = writeStandardOutput(text))
    return *error;
  return ExitDone;
}

static Result<int> runCc(const std::vector<std::string> &arguments) {
  if (asksForHelp(arguments))
    return printHelp(compileHelp("cc", "clang", "mandel.c"));
  return compile("clang", "--driver-mode=gcc", arguments);
}

static Result<int> runCxx(const std::vector<std::string> &arguments) {
  if (asksForHelp(arguments))
    return printHelp(compileHelp("c++", "clang++", "mandel.cpp"));
  return compile("clang++", "--driver-mode=g++", arguments);
}

static Result<int> runRewrite(const std::vector<std::string> &arguments) {
  if (asksForHelp(arguments))
    return printHelp("Example:\n"
                     "  prophet rewrite mandel.c -- -O2 > mandel.prophet.c\n\n"
                     "Runs prophet-rewrite: source to source, for compilers without the plugin. "
                     "Every argument is prophet-rewrite's.\n");
  auto directory = executableDirectory();
  if (!directory)
    return directory.error();
  return become(*directory + "/prophet-rewrite", arguments,
                "install Prophet's front end (PROPHET_FRONT_END=ON)");
}

const std::vector<PassThrough> PassThroughVerbs = {
    {"cc", "Compiles C with the plugin; every argument is clang's", runCc},
    {"c++", "Compiles C++ with the plugin; every argument is clang++'s", runCxx},
    {"rewrite", "Prints the source with profiling calls in it", runRewrite},
};

} // namespace prophet
