//===- StaticSteal.cpp - libomp's nonmonotonic schedule(dynamic,c) --------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/StaticSteal.h"

#include "predictor/emulator/StaticSchedule.h"
#include "predictor/emulator/Tournament.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace prophet {

StealRing::StealRing(unsigned threads, std::uint64_t chunks)
    : blocks(threads), chunks(chunks), loaded((threads + 63) / 64) {
  assert(threads > 1 && chunks >= threads);
  for (unsigned thread = 0; thread < threads; ++thread)
    note(thread);
}

unsigned StealRing::nextLoaded(unsigned from) const {
  const auto threads = static_cast<unsigned>(blocks.size());
  if (from >= threads)
    return threads;
  std::size_t word = from / 64;
  std::uint64_t bits = loaded[word] & ~std::uint64_t(0) << from % 64;
  while (bits == 0)
    if (++word == loaded.size())
      return threads;
    else
      bits = loaded[word];
  return static_cast<unsigned>(word * 64) + static_cast<unsigned>(std::countr_zero(bits));
}

std::uint64_t StealRing::blockStart(unsigned thread) const {
  return staticBlockStart(chunks, static_cast<unsigned>(blocks.size()), thread);
}

void StealRing::arrive(unsigned thread) {
  Block &own = blocks[thread];
  own.victim = after(thread);
  if (own.state != Block::Unused)
    return; // a thief was here first: nothing left of its own
  own.next = blockStart(thread);
  own.end = blockStart(thread + 1);
  own.state = Block::Ready;
  note(thread);
}

std::optional<std::uint64_t> StealRing::stealFrom(unsigned victim, unsigned thread) {
  Block &from = blocks[victim];
  Block &own = blocks[thread];
  std::uint64_t stolen, end;
  if (from.state == Block::Unused) { // not even there yet: its whole block
    from.state = Block::Thief;
    stolen = blockStart(victim);
    end = blockStart(victim + 1);
    own.victim = after(victim);
  } else {
    if (from.next >= from.end)
      return std::nullopt;
    const std::uint64_t remaining = from.end - from.next;
    end = from.end;
    from.end -= remaining > 7 ? remaining / 4 : 1;
    stolen = from.end;
    own.victim = victim;
  }
  own.next = stolen + 1;
  own.end = end;
  if (own.next < own.end)
    own.state = Block::Ready;
  note(victim);
  note(thread);
  return stolen;
}

namespace {

/// When each chunk ends if one thread runs all of them from time 0.
class ChunkClock {
public:
  explicit ChunkClock(const Runs &chunks) {
    std::uint64_t chunk = 0;
    Time end = 0;
    starts.reserve(chunks.size());
    for (const Run &run : chunks) {
      starts.push_back({chunk, end, run.duration});
      chunk += run.count;
      end += run.duration * static_cast<Time>(run.count);
    }
    count = chunk;
  }

  std::uint64_t chunks() const { return count; }

  /// The end of all chunks before `chunk`.
  Time before(std::uint64_t chunk) const {
    const auto run = std::upper_bound(starts.begin(), starts.end(), chunk,
                                      [](std::uint64_t c, const Start &s) { return c < s.chunk; }) -
                     1;
    return run->at + run->duration * static_cast<Time>(chunk - run->chunk);
  }

  /// How many chunks start at times < `limit`, counted from chunk 0 at time 0.
  std::uint64_t startedBefore(Time limit) const {
    const auto run = std::lower_bound(starts.begin(), starts.end(), limit,
                                      [](const Start &s, Time t) { return s.at < t; });
    if (run == starts.begin())
      return 0;
    const Start &last = run[-1];
    const std::uint64_t end = run == starts.end() ? count : run->chunk;
    if (last.duration == 0)
      return end;
    return std::min(end, last.chunk + 1 +
                             static_cast<std::uint64_t>((limit - last.at - 1) / last.duration));
  }

private:
  struct Start {
    std::uint64_t chunk;
    Time at;
    Time duration;
  };
  std::vector<Start> starts;
  std::uint64_t count = 0;
};

/// One loop under static_steal, its threads' progress known by formula between steals.
class StealRun {
public:
  StealRun(const Runs &chunks, std::vector<Time> &finish)
      : clock(chunks), finish(finish), ring(static_cast<unsigned>(finish.size()), clock.chunks()),
        threads(finish.size()), wakes(finish.size()) {
    for (std::uint32_t thread = 0; thread < finish.size(); ++thread)
      wakes.set({finish[thread], thread});
  }

  /// \returns how many steals there were.
  std::uint64_t run() {
    while (wakes.top().at != Tournament::never)
      wake(wakes.top().thread, wakes.top().at);
    return steals;
  }

private:
  struct Thread {
    Time origin = 0; ///< when chunk 0 would have started, had it run all before its own
    bool here = false;
  };

  ChunkClock clock;
  std::vector<Time> &finish;
  StealRing ring;
  std::vector<Thread> threads;
  std::uint64_t steals = 0;
  Tournament wakes; ///< when each has used up what is its own now

  /// `id` has run out of chunks, or has just come.
  void wake(unsigned id, Time now) {
    Thread &thread = threads[id];
    if (!thread.here) {
      thread.here = true;
      ring.arrive(id);
      if (ring.block(id).next < ring.block(id).end)
        return begin(id, ring.block(id).next, now);
    }
    if (const auto chunk = ring.steal(id, [&](unsigned victim) { catchUp(victim, now, id); })) {
      ++steals;
      begin(id, *chunk, now);
      if (const unsigned victim = ring.block(id).victim; threads[victim].here)
        plan(victim); // it has less to do now
      return;
    }
    wakes.set({Tournament::never, id});
    finish[id] = now;
  }

  /// `id` starts chunk `first` at `now` and then runs what its block holds.
  void begin(unsigned id, std::uint64_t first, Time now) {
    threads[id].origin = now - clock.before(first);
    plan(id);
  }

  /// Has `id` wake when its block is used up.
  void plan(unsigned id) { wakes.set({threads[id].origin + clock.before(ring.block(id).end), id}); }

  /// Counts as taken what `victim` has started when thread `observer` looks at `now`: of what
  /// starts at the same time, that of lower-numbered threads.
  void catchUp(unsigned victim, Time now, unsigned observer);
};

void StealRun::catchUp(unsigned victim, Time now, unsigned observer) {
  const StealRing::Block &block = ring.block(victim);
  if (!threads[victim].here || block.next >= block.end)
    return;
  const Time limit = now - threads[victim].origin + (victim < observer ? 1 : 0);
  const std::uint64_t started = std::min(block.end, clock.startedBefore(limit));
  if (started > block.next)
    ring.advance(victim, started - block.next);
}

} // namespace

std::uint64_t runSteal(const Runs &chunks, std::vector<Time> &finish) {
  return StealRun(chunks, finish).run();
}

} // namespace prophet
