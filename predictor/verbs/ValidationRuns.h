//===- ValidationRuns.h - Running what was predicted -------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `prophet validate`'s programs: the serial one as it is, the profiled one, and an
// OpenMP one for each schedule, from one source with one set of options.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Capture.h"
#include "predictor/validation/Validation.h"
#include "predictor/verbs/ClangCommand.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace prophet {

/// What to build and how to run it.
struct ValidationJob {
  Compilation compilation;
  std::vector<std::string> arguments; ///< the program's
  bool isOpenMP = false;              ///< the source is the OpenMP program already
  EmulationOptions options;           ///< how threads wait, how teams nest, on how many cores
  unsigned machineCores = 1;
};

/// Programs in a directory that goes with this. Standard output of theirs is not shown.
class ValidationRuns {
public:
  /// Builds the serial program and the profiled one; what the compiler says of them goes to
  /// standard error.
  static Result<ValidationRuns> create(ValidationJob job);

  /// Runs the profiled program on one core; the tree of its run.
  Result<std::shared_ptr<const Tree>> profile();

  /// Builds an OpenMP program with every loop of `tree` under each of `schedules`, whatever it
  /// gains; the source as it is where it is OpenMP already.
  std::optional<Error> buildOpenMP(const Tree &tree, const std::vector<ScheduleChoice> &schedules);

  /// Runs the serial program on one core; the seconds from its start to its end.
  Result<double> runSerial();

  /// Runs the OpenMP program of schedule number `schedule`. `tree` has the sites.
  Result<OpenMPRun> runOpenMP(std::size_t schedule, unsigned threads, const Tree &tree);

  /// The first thing that an OpenMP program wrote and the serial one did not; "" where there is
  /// nothing. \pre profile and runSerial were called
  const std::string &difference() const { return different; }

  /// What to tell of runs that other programs disturbed, however often they were repeated; "" where
  /// there are none.
  std::string disturbance() const;

private:
  struct Program {
    std::string path, name;         ///< as messages call it
    std::optional<CodeLines> lines; ///< of the places that open regions, once they are known
  };

  ValidationRuns(ValidationJob job, TemporaryDirectory directory, std::string tool)
      : job(std::move(job)), directory(std::move(directory)), tool(std::move(tool)) {}

  std::optional<Error> compile(const std::vector<std::string> &command) const;
  std::optional<Error> buildSerial();
  std::optional<Error> buildProfiled();
  std::optional<Error> buildOne(const std::string &plan, const std::string &program,
                                CaptureErrors messages) const;
  /// Runs `program` on `threads` threads, a few times if need be, until others leave it as many
  /// cores. \param seconds that the last one took
  Result<Captured> run(const Program &program, const Environment &environment, unsigned threads,
                       double &seconds);
  Result<Captured> runOnce(const Program &program, const Environment &environment) const;
  Environment environmentFor(unsigned threads, const std::string &regions) const;
  Result<std::vector<RegionTime>> readRegions(const std::string &path) const;
  std::optional<Error> findLines(Program &program, const std::vector<RegionTime> &regions) const;

  ValidationJob job;
  TemporaryDirectory directory;
  std::string tool; ///< that measures regions
  InputStart input{};
  Program serial, profiled;
  std::vector<Program> openMP;              ///< by schedule
  std::string serialOutput, profiledOutput; ///< of the last runs, both serial
  std::string different;
  std::size_t quiet = 0, disturbed = 0; ///< runs that count
  double mostForeign = 0;               ///< cores that others took from a disturbed one
};

} // namespace prophet
