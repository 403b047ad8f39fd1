//===- MemoryProfile.h - How sections use memory ----------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file that a program writes which was built with -fplugin-arg-prophet-memory
// (docs/memory-profile.md): stack distances, from which follows what any cache that
// throws out the line not used for longest lets through.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/AccessLog.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace prophet::memmodel {

/// Counts by how many other lines were used in between.
class DistanceHistogram {
public:
  /// `count` with distances from `first` to `last`. In rising order, without overlap.
  void add(std::uint64_t first, std::uint64_t last, double count);
  /// The counts at distances of at least `lines`; a bin that straddles that counts in proportion.
  double atLeast(double lines) const;
  double total() const { return atLeast(0); }

private:
  struct Bin {
    double first, end, count;
  };
  std::vector<Bin> bins;
};

/// Accesses of one class: reads and writes together, and writes alone.
struct ClassUse {
  double cold = 0, coldWrites = 0; ///< first uses of a line
  DistanceHistogram reuse, writes;
};

/// Of all executions of a site's outermost sections together, or of code outside of sections.
struct SiteUse {
  std::string name, kind, file;
  std::uint64_t line = 0, executions = 0;
  double reads = 0, writes = 0;
  std::optional<double> flops;        ///< floating-point operations, where the file has them
  std::optional<double> instructions; ///< that a processor executes, likewise
  std::optional<double> chained;      ///< of flops, those that wait for the iteration before
  double readFirst = 0; ///< lines that were read and are first written to here; 0: or not known
  std::array<ClassUse, accessClasses> classes;
  double neverWrittenBack = 0; ///< lines dirty at the program's end
  DistanceHistogram writebacks;
  unsigned lineBytes = 64;

  double accesses() const { return reads + writes; }
  /// Accesses of a class that a cache of so many bytes does not have.
  double misses(AccessClass accessClass, double cacheBytes) const;
  /// Dirty lines that such a cache throws out.
  double writeBacks(double cacheBytes) const;
};

/// A site with sections inside others': what its own do where it alone is parallel. `executions`
/// are those that are in no other one of it, wherever they are.
struct InnerSite : SiteUse {
  std::optional<AccessLog> log; ///< where it is site 0, and all else is outside; if there is one
};

struct MemoryProfile {
  bool complete = true;
  std::vector<std::string> command; ///< that was run, where the file has it
  double rate = 1;                  ///< the share of lines in the sample at the end
  std::uint64_t sampledLines = 0;
  std::vector<SiteUse> sites;
  SiteUse outside;
  std::optional<AccessLog> log; ///< where the file has one
  std::vector<InnerSite> inner;
};

/// \param problem where there is no result: what is wrong, and where
std::optional<MemoryProfile> readMemoryProfile(std::string_view text, std::string &problem);

} // namespace prophet::memmodel
