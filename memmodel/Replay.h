//===- Replay.h - Recorded references on other threads ----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the caches would do if the tasks of a serial run were dealt to t threads:
// each thread has a private cache, all have a shared one behind it, and a line
// that one thread writes leaves the others' private caches. So threads together
// have more private cache (the first row of Parallel Prophet's Table IV), fill the
// shared one together (its third row), and lines move between them where tasks of
// one thread touch what another's wrote, also in an earlier section.
//
// Caches are fully associative, evict what is unused longest, and keep copies of
// each other's lines as it comes (neither inclusive nor exclusive), but what was written and one
// thread alone reads moves to that one, so the next one has it from there. What a shared one has
// may be gone after a time, as others fill it, too (SharedCache.h). A last-level cache may be some
// threads' alone: what others have that was not written comes from memory then, and what was, from
// them. References may
// be a sample of all lines (SHARDS): caches then hold as small a share of theirs.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/CurveModel.h"
#include "memmodel/LruCache.h"
#include "memmodel/SharedCache.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace prophet::memmodel {

/// A read or write of one cache line.
struct Reference {
  std::uint32_t line; ///< numbered from 0, in any order
  AccessClass accessClass;
  bool isWrite;
};

/// What one thread executes at a time: a task, or what lies between sections.
struct Piece {
  unsigned thread;
  double begin, end;                     ///< ns, or any unit if no time counts; end >= begin
  std::span<const Reference> references; ///< in the program's order
  /// Of a task: among its thread's.
  TaskPlace place = TaskPlace::Alone;
};

/// Sizes in lines.
struct CacheSizes {
  double privateLines; ///< of each thread
  double sharedLines;  ///< of each last-level cache
  /// Threads that share one of these: the first so many, the next so many...; by default all.
  unsigned sharers = std::numeric_limits<unsigned>::max();
  /// Of each last-level cache, in place of `sharedLines`; empty: that at all times.
  std::vector<ReachPoint> reach{};
  double reachSigma = 0; ///< Cache::reachSigma
};

/// Lines of which each thread has another one, though references have one number for it: of
/// variables that tasks declare.
class OwnLines {
public:
  OwnLines() = default;
  /// \param numbers in order; each below `lines`, which is more than any reference's
  OwnLines(std::span<const std::uint32_t> numbers, std::uint32_t lines);

  /// The line, by a number that no other thread's has, nor another line.
  std::uint32_t of(unsigned thread, std::uint32_t number) const {
    const std::uint32_t place = number < places.size() ? places[number] : 0;
    return place && thread ? lines + (thread - 1) * count() + place - 1 : number;
  }
  /// The number that references have for it.
  std::uint32_t numberOf(std::uint32_t line) const {
    return line < lines || numbers.empty() ? line : numbers[(line - lines) % count()];
  }

private:
  std::vector<std::uint32_t> numbers;
  std::vector<std::uint32_t> places; ///< among `numbers`, from 1, by number
  std::uint32_t lines = 0;

  std::uint32_t count() const { return static_cast<std::uint32_t>(numbers.size()); }
};

class Replay {
public:
  /// \param rate the share of all lines that the references are of, in (0, 1]
  Replay(unsigned threads, const CacheSizes &sizes, double rate, OwnLines ownLines = {});

  /// Executes `pieces` on the caches as the pieces before left them. A piece's references are
  /// spread evenly over its time; where threads refer at the same time, the lower one is first.
  /// \pre the pieces of one thread follow each other in time, and none is of a thread that is not
  /// there.
  /// \param start when that begins, on the clock by which what others fill is gone after a time
  /// \param end not before the pieces end, if there is more: what is gone by then counts, too
  /// \returns what that moves, of all lines: what was counted over the rate
  Traffic run(std::span<const Piece> pieces, double start = 0, double end = 0);

  /// What was used from `since` on is used again and again for so much time from now on.
  void passTime(double since, double ns) {
    for (SharedCache &cache : shared)
      cache.passTime(since, ns);
  }

private:
  static constexpr unsigned Nobody = ~0u;
  struct LineState {
    unsigned holders = 0;      ///< private caches that have it
    unsigned copies = 0;       ///< shared caches that have it
    unsigned owner = Nobody;   ///< who alone has what was written last
    unsigned dirtyIn = Nobody; ///< the shared cache whose copy is newer than the memory's
    bool isReadByTwo = false;  ///< since it was written
    /// The piece that last fetched it or took it from others, or was the last to have it counted as
    /// written in its own cache; they are numbered from 1.
    std::uint64_t settledIn = 0;
    /// The pieces that last did so: where two threads take turns at a line it counts each time.
    std::uint64_t usedIn = 0, loadedIn = 0, storedIn = 0;
  };

  const double rate;
  const unsigned sharers;
  const OwnLines ownLines;
  std::vector<LruCache> own;                      ///< by the numbers that references have
  std::vector<std::optional<std::uint32_t>> last; ///< by thread: its last line in this run
  std::vector<SharedCache> shared;                ///< by group of sharers
  double now = 0;
  std::size_t place = 0;        ///< TaskPlace of the piece that refers now
  std::uint64_t firstPiece = 1; ///< number of this run's
  std::vector<LineState> lines;
  /// What tasks of each place have moved in this run, and used.
  std::array<Traffic, taskPlaces> moved;
  PlaceUses used;

  Traffic &counted() { return moved[place]; }
  Traffic countedInAll() const;
  bool holds(unsigned thread, std::uint32_t line) const {
    return own[thread].contains(ownLines.numberOf(line));
  }
  void refer(unsigned thread, Reference reference, std::uint64_t piece);
  void countUse(const Reference &reference, LineState &state, std::uint64_t piece);
  /// \param ahead which of those it is counted among that prefetchers fetch ahead, as a stream's
  void countTransfer(unsigned thread, const Reference &reference, double Traffic::*ahead);
  void fetch(unsigned thread, const Reference &reference, LineState &state);
  void takeFromOthers(unsigned thread, std::uint32_t line);
  void evict(unsigned thread, std::uint32_t line);
  void share(unsigned group, std::uint32_t line, bool isDirty);
  void drop(unsigned group, std::uint32_t line);
  void forget();
  unsigned groupOf(unsigned thread) const { return thread / sharers; }
  bool isNear(unsigned thread, const LineState &state, std::uint32_t line) const;
  bool isElsewhere(unsigned group, const LineState &state, std::uint32_t line) const;
};

} // namespace prophet::memmodel
