//===- OpenMPVersion.cpp - A source with OpenMP pragmas ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/OpenMPVersion.h"

#include "predictor/support/Files.h"
#include "predictor/support/Text.h"
#include "predictor/verbs/Installation.h"

#include <filesystem>
#include <fmt/format.h>
#include <sstream>

namespace prophet {

/// A file system for Clang in which the changed files stand in the place of the original ones.
static std::string overlay(const std::vector<OpenMPVersion::File> &files,
                           const TemporaryDirectory &directory) {
  std::string roots;
  for (std::size_t n = 0; n < files.size(); ++n) {
    std::string name = std::filesystem::absolute(files[n].path).lexically_normal().string();
    roots += fmt::format("{}{{\"type\": \"file\", \"name\": {}, \"external-contents\": {}}}",
                         n ? ", " : "", formatJsonString(name),
                         formatJsonString(directory / (std::to_string(n) + ".marked")));
  }
  return "{\"version\": 0, \"use-external-names\": false, \"roots\": [" + roots + "]}\n";
}

Result<std::optional<OpenMPVersion>>
makeOpenMPVersion(const Compilation &compilation, const std::string &plan, ChangeHeaders headers,
                  const TemporaryDirectory &directory, CaptureErrors messages) {
  auto tools = executableDirectory();
  if (!tools)
    return tools.error();
  std::vector<std::string> command = {*tools + "/prophet-rewrite", "--openmp",
                                      "--into=" + directory.directory().string()};
  if (headers == ChangeHeaders::Yes)
    command.push_back("--headers");
  if (!plan.empty()) {
    if (auto error = writeFileAtomically(directory / "plan.json", plan))
      return *error;
    command.push_back("--plan=" + directory / "plan.json");
  }
  command.insert(command.end(), {compilation.source, "--"});
  for (const std::string &option : compilation.options)
    if (!isSourceFile(option))
      command.push_back(option);
  auto run = runCaptured(command, {}, messages);
  if (!run)
    return run.error();
  if (run->end.failed())
    return std::optional<OpenMPVersion>();

  OpenMPVersion version;
  auto paths = readWholeFile(directory / "paths");
  if (!paths)
    return paths.error();
  std::istringstream lines(*paths);
  for (std::string path; std::getline(lines, path);) {
    auto text = readWholeFile(directory / (std::to_string(version.files.size()) + ".text"));
    if (!text)
      return text.error();
    version.files.push_back({path, std::move(*text)});
  }
  if (auto error =
          writeFileAtomically(directory / "overlay.yaml", overlay(version.files, directory)))
    return *error;
  version.options = {"-fopenmp", "-ivfsoverlay", directory / "overlay.yaml"};
  return std::optional(std::move(version));
}

} // namespace prophet
