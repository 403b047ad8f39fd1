//===- StreamEnds.h - What streams get that begin anew ----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread whose next task is not the one behind in memory loses what its prefetchers
// were ahead, and begins anew. How long that takes was measured by how long streams go
// on, in loops that access each line a few times, often, and to write it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <limits>
#include <map>
#include <vector>

namespace prophet::memmodel {

/// How one thread goes through memory in order.
struct StreamEnds {
  static constexpr double endless = std::numeric_limits<double>::infinity();
  static constexpr double leanAccesses = 4, busyAccesses = 16; ///< of the measured loops

  double run = endless;           ///< lines, until the stream ends
  double accesses = leanAccesses; ///< for each line
  double written = 0;             ///< the share of lines that are, 0 to 1
  double counted = 1; ///< of its ends, the share that one thread's streams do not have, 0 to 1
};

/// How long streams in lock step take to begin anew together, on account of what else comes between
/// their lines or of where they end.
struct EndsTogether {
  unsigned streams = 0; ///< > 1; 0: not measured
  /// Of what one takes, so many of them do in all, 1 to `streams`, in loops of busyAccesses a line;
  /// of streams in own caches, in those that write.
  double times = 0;
  /// The same of leanAccesses a line, and where all lines are written; 0: as `times`.
  double leanTimes = 0, writtenTimes = 0;

  bool operator==(const EndsTogether &) const = default;

  /// The same of `number` of them in a loop with so many accesses to a line, of which a share is
  /// written: a power of it, and its root where that was not measured. Of fewer than one, as where
  /// some tasks have one, as much less.
  double timesOf(double number, double accesses = StreamEnds::busyAccesses,
                 double written = 0) const;
  /// What streams take together that take so long alone, which are not equally long: timesOf()
  /// where they are, the longest where they do not wait for each other, and the sum where they do.
  double ofAll(const std::vector<double> &ns, double accesses = StreamEnds::busyAccesses,
               double written = 0) const;
  /// What a line takes longer of streams that end so, together, where it takes one of each alone
  /// `anew` of how that ends.
  template <typename Anew>
  double ofLine(const std::vector<StreamEnds> &ends, const Anew &anew) const {
    std::vector<double> alone;
    double lines = 0, accesses = 0, written = 0;
    for (const StreamEnds &its : ends) {
      alone.push_back(its.counted * its.run * anew(its));
      lines += its.run;
      accesses += its.run * its.accesses;
      written += its.run * its.written;
    }
    return lines > 0 ? ofAll(alone, accesses / lines, written / lines) / lines : 0;
  }

private:
  /// How fast what streams take together rises with their number: 0 to 1.
  double power(double accesses, double written) const;
};

/// What a stream loses at its end in lines that cores have in their own caches. Where a thread goes
/// on in its own, prefetchers take lines away that the thread behind the end has; where it takes
/// the other one's, it has to begin anew.
struct EndTimes {
  std::map<unsigned, double> ns; ///< of one stream, by its lines; empty: not known

  bool operator==(const EndTimes &) const = default;

  /// Linear in the logarithm of the run; below the first one in proportion to it, and behind the
  /// last one as there.
  double at(double run) const;
};

/// GB/s of one thread's streams that end after so many lines, ascending; empty: not known.
struct StreamRunTables {
  std::map<unsigned, double> lean; ///< of leanAccesses a line, as those that go on
  /// Of busyAccesses a line: a core that begins anew has fewer lines of such a loop under way.
  std::map<unsigned, double> busy;
  std::map<unsigned, double> written; ///< all lines are written

  bool operator==(const StreamRunTables &) const = default;

  /// GB/s of streams that end so, of which those that go on get `ahead`: linear in the logarithm of
  /// their runs, its inverse in their accesses and in how many lines are written. Behind the
  /// longest run each end takes as long. No table makes it faster.
  double gbs(StreamEnds ends, double ahead) const;
};

} // namespace prophet::memmodel
