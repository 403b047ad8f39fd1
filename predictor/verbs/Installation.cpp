//===- Installation.cpp - Where Prophet's other parts are -------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/Installation.h"

#include <filesystem>

namespace prophet {

namespace fs = std::filesystem;

Result<std::string> executableDirectory() {
  std::error_code code;
  fs::path self = fs::read_symlink("/proc/self/exe", code);
  if (code)
    return Error{"/proc/self/exe: " + code.message() + "; mount /proc"};
  return self.parent_path().string();
}

Result<Installation> findInstallation() {
  auto directory = executableDirectory();
  if (!directory)
    return directory.error();
  std::error_code ignored;
  fs::path prefix = fs::path(*directory).parent_path();
  for (const char *libdir : {"lib", PROPHET_LIBDIR}) {
    fs::path library = prefix / libdir;
    if (!fs::exists(library / "prophet.so", ignored))
      continue;
    fs::path include = prefix / PROPHET_INCLUDEDIR;
    if (!fs::exists(include / "prophet" / "profile.h", ignored))
      include = PROPHET_SOURCE_INCLUDE; // the build tree keeps no copy of the headers
    return Installation{(library / "prophet.so").string(), library.string(), include.string()};
  }
  return Error{(prefix / "lib" / "prophet.so").string() +
               ": no such plugin; install Prophet's front end (PROPHET_FRONT_END=ON)"};
}

Result<std::string> helperProgram(const std::string &name) {
  auto directory = executableDirectory();
  if (!directory)
    return directory.error();
  return (fs::path(*directory).parent_path() / PROPHET_LIBEXECDIR / "prophet" / name).string();
}

Result<std::string> measuringProgram(const std::string &runtime) {
  return helperProgram("openmp-overheads-" + runtime);
}

Result<std::string> memoryProgram() { return helperProgram("memory-figures"); }

} // namespace prophet
