//===- Team.h - Threads, teams and loops of the event engine ----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/SegmentEngine.h"
#include "predictor/emulator/TeamLoop.h"

#include <deque>
#include <limits>

namespace prophet {

/// One worksharing loop that a team is executing.
struct Loop {
  static constexpr double notYet = std::numeric_limits<double>::infinity();
  Position at;
  NodeId section;
  Time gap; ///< code that every thread runs before it
  TeamLoop chunks;
  Slowdown slowdown;          ///< of its tasks
  std::uint32_t account;      ///< SegmentEngine::sums
  double since = notYet;      ///< real time of the first thread's arrival
  bool reached = false;       ///< by some thread
  unsigned left = 0;          ///< threads that are through
  std::vector<Time> shares{}; ///< where a thread takes one event: how long it takes, by number
  Time piece = 0;             ///< where threads take pieces: how long one is
  Time pool = 0;              ///< ... and all that are left
};

/// How many chunks a thread has taken that is on its way to its loop.
inline constexpr std::uint64_t onItsWay = ~0ull;

/// Threads that execute a region together.
struct Team {
  unsigned size;
  unsigned level; ///< active levels: teams of more than one thread, from the outermost to this
  const TeamCharges *charges;
  Slowdown slowdown;                  ///< where it isNested: the outermost loop's
  std::uint32_t account = 0;          ///< of the site that opened it, SegmentEngine::sums
  std::vector<std::uint32_t> members; ///< by number in the team; the first is its master
  std::deque<Loop> loops;             ///< those that some thread has reached and not all have left
  std::uint32_t firstLoop = 0;        ///< which loop of the region loops.front() is, modulo 2^32
  unsigned atBarrier = 0;
  struct {
    std::uint32_t team, number;
    Slowdown slowdown;
    std::uint32_t account;
    const TeamCharges *charges;
    Place place;
  } outer{};                   ///< what the master was before
  std::uint32_t nextKnown = 0; ///< the loop of which it is known when threads come to it
  std::vector<Time> through;   ///< when they are through with that before it, by number, if any is,
                               ///< from some moment on
  double arrivals = 0;         ///< sum of the real times at which threads reached the barrier

  /// Whether it is inside of another team of more than one thread.
  bool isNested() const { return level > (size > 1 ? 1u : 0u); }
  Loop &loop(std::uint32_t number) { return loops[number - firstLoop]; }
  /// The number of the loop behind all that there are.
  std::uint32_t loopsEnd() const { return firstLoop + static_cast<std::uint32_t>(loops.size()); }
};

/// Where a thread is in the tree. One cache line: what is stepped through is mostly that.
struct alignas(64) Frame {
  enum class Kind : std::uint8_t {
    Sequence, ///< the children of a task or of a lock that is held
    Serial,   ///< the tasks of a section that this thread runs alone
    Worker,   ///< a share of a team's loop
  };
  explicit Frame(Kind kind = Kind::Sequence) : kind(kind) {}

  Kind kind;
  bool isInRegion = false; ///< Sequence: the next section is in the region of the last
  union {
    std::uint32_t lock = nobody; ///< Sequence: to be released at its end
    NodeId section;              ///< Serial: which it executes
    std::uint32_t loop;          ///< Worker: which loop of the region
  };
  Position at{}; ///< what comes next; Worker: the task of iteration `begin`
  union {
    std::uint64_t begin = 0; ///< Worker: the first iteration of what is left of its chunk
    double since;            ///< Serial: real time of its start
  };
  std::uint64_t end = 0;         ///< Worker: behind the last
  std::uint64_t turn = onItsWay; ///< Worker: chunks it has taken
  Time nextTurn = 0;             ///< Worker: before then it gets no other chunk

  std::uint32_t heldLock() const { return kind == Kind::Sequence ? lock : nobody; }
};
static_assert(sizeof(Frame) == 64);

struct Thread : Actor {
  using OwnTeam = Team;
  std::uint32_t team = nobody;
  std::uint32_t number = 0; ///< in its team
  std::vector<Frame> stack;

  bool isEmpty() const { return stack.empty(); }
};

} // namespace prophet
