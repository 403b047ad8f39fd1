//===- StaticSteal.h - libomp's nonmonotonic schedule(dynamic,c) *- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What libomp does for a plain schedule(dynamic,c) (kmp_dispatch.cpp,
// kmp_sch_static_steal, LLVM 19): the chunks are dealt out in balanced blocks,
// each thread takes from the front of its own block, and a thread whose block is
// used up takes from the tail of another's. With fewer chunks than threads the
// runtime uses the central queue instead.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Runs.h"

#include <optional>
#include <utility>
#include <vector>

namespace prophet {

/// The blocks of one loop's chunks, and who may take what.
class StealRing {
public:
  StealRing(unsigned threads, std::uint64_t chunks);

  struct Block {
    std::uint64_t next = 0;   ///< first chunk not taken yet
    std::uint64_t end = 0;    ///< chunks [next, end) may be taken
    std::uint32_t victim = 0; ///< where its thread looks first when it has to steal
    enum : std::uint8_t { Unused, Ready, Thief } state = Unused; ///< libomp's steal_flag
  };

  const Block &block(unsigned thread) const { return blocks[thread]; }

  /// `thread` reaches the loop: its block becomes its own, unless it has been stolen whole.
  void arrive(unsigned thread);

  /// The chunk that `thread` runs next: of its own block, else stolen; none: it leaves the loop.
  std::optional<std::uint64_t> take(unsigned thread) {
    Block &own = blocks[thread];
    if (own.next == own.end)
      return steal(thread, [](unsigned) {});
    const std::uint64_t chunk = own.next;
    advance(thread, 1);
    return chunk;
  }

  /// Takes `count` chunks of its own block at once.
  void advance(unsigned thread, std::uint64_t count) {
    blocks[thread].next += count;
    note(thread);
  }

  /// What `thread`, whose own block is used up, steals to run now; the rest of what it stole is its
  /// new block. `progress(victim)` first brings the victim's block up to date.
  template <typename Progress>
  std::optional<std::uint64_t> steal(unsigned thread, Progress progress);

private:
  std::vector<Block> blocks;
  std::uint64_t chunks;
  std::vector<std::uint64_t> loaded; ///< a bit for each thread: something may be left in its block

  std::uint64_t blockStart(unsigned thread) const;
  unsigned after(unsigned thread) const { return thread + 1 == blocks.size() ? 0 : thread + 1; }
  std::optional<std::uint64_t> stealFrom(unsigned victim, unsigned thread);

  /// Keeps `loaded` for `thread`, whose block has changed.
  void note(unsigned thread) {
    const Block &block = blocks[thread];
    const bool isLoaded =
        block.state == Block::Unused || (block.state == Block::Ready && block.next < block.end);
    const std::uint64_t bit = std::uint64_t(1) << thread % 64;
    loaded[thread / 64] = isLoaded ? loaded[thread / 64] | bit : loaded[thread / 64] & ~bit;
  }
  /// The first loaded thread from `from` on, or the number of threads.
  unsigned nextLoaded(unsigned from) const;
};

// libomp makes T - 1 attempts. No time passes between them here, so a victim that had nothing has
// nothing still, and they come to one round over all others.
template <typename Progress>
std::optional<std::uint64_t> StealRing::steal(unsigned thread, Progress progress) {
  blocks[thread].state = Block::Thief;
  note(thread);
  const unsigned first = blocks[thread].victim, threads = static_cast<unsigned>(blocks.size());
  for (const auto &[begin, end] : {std::pair(first, threads), std::pair(0u, first)})
    for (unsigned victim = nextLoaded(begin); victim < end; victim = nextLoaded(victim + 1)) {
      progress(victim);
      if (const auto chunk = stealFrom(victim, thread))
        return chunk;
    }
  return std::nullopt;
}

/// Runs `chunks` on a team whose thread i reaches the loop at `finish[i]` (in: starts, out: ends).
/// \pre at least as many chunks as threads, at least two threads.
/// \returns how many steals there are; each takes O(log T + log runs), and a look at every thread
/// with something left that it passes by.
std::uint64_t runSteal(const Runs &chunks, std::vector<Time> &finish);

} // namespace prophet
