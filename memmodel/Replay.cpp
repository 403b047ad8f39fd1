//===- Replay.cpp - Recorded references on other threads ------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/Replay.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <tuple>

namespace prophet::memmodel {

static std::size_t sampledLines(double lines, double rate) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::llround(lines * rate)));
}

Replay::Replay(unsigned threads, CacheSizes sizes, double rate)
    : rate(rate), own(threads, LruCache(sampledLines(sizes.privateLines, rate))), last(threads),
      shared(sampledLines(sizes.sharedLines, rate)) {}

/// The shared cache takes `line` in, or uses it.
void Replay::share(std::uint32_t line, bool isDirty) {
  lines[line].isDirty |= isDirty;
  const auto evicted = shared.use(line);
  if (!evicted || !lines[*evicted].isDirty)
    return;
  ++counted.writeBacks;
  lines[*evicted].isDirty = false;
}

/// `thread`'s cache has dropped `line`.
void Replay::evict(unsigned thread, std::uint32_t line) {
  LineState &state = lines[line];
  --state.holders;
  if (state.owner != thread)
    return;
  state.owner = Nobody;
  share(line, true);
}

void Replay::takeFromOthers(unsigned thread, std::uint32_t line) {
  LineState &state = lines[line];
  for (unsigned other = 0; other < own.size() && state.holders > 0; ++other)
    if (other != thread && own[other].contains(line)) {
      own[other].erase(line);
      --state.holders;
    }
}

/// A line that others take while the thread is at it takes its time.
void Replay::countTransfer(unsigned thread, const Reference &reference) {
  ++counted.transfers;
  if (last[thread] == reference.line)
    return;
  counted.transfersAhead += isFetchedAhead(reference.accessClass) ? 1 : 0;
  counted.transfersAtOnce += reference.accessClass == AccessClass::Irregular ? 1 : 0;
}

/// From wherever the newest copy is, to a thread that has none.
void Replay::fetch(unsigned thread, const Reference &reference, LineState &state) {
  const std::uint32_t line = reference.line;
  if (state.owner != Nobody) {
    countTransfer(thread, reference);
    if (!reference.isWrite) { // now there are two of them
      state.owner = Nobody;
      share(line, true);
    }
  } else if (shared.contains(line)) {
    ++counted.sharedHits;
    counted.sharedAhead += isFetchedAhead(reference.accessClass) ? 1 : 0;
    share(line, false);
  } else if (state.holders > 0) {
    countTransfer(thread, reference);
    share(line, false);
  } else {
    ++counted.misses[static_cast<std::size_t>(reference.accessClass)];
    share(line, false);
  }
}

void Replay::refer(unsigned thread, const Reference &reference) {
  const std::uint32_t line = reference.line;
  if (line >= lines.size())
    lines.resize(line + 1);
  LineState &state = lines[line];
  const bool has = own[thread].contains(line);
  const bool othersHave = state.holders > (has ? 1u : 0u);
  if (!has)
    fetch(thread, reference, state);
  else if (reference.isWrite && othersHave)
    countTransfer(thread, reference); // the others are asked to drop theirs
  if (reference.isWrite) {
    if (othersHave)
      takeFromOthers(thread, line);
    state.owner = thread;
    state.isDirty = false; // what the shared cache has is old
  }
  if (!has)
    ++state.holders;
  if (const auto evicted = own[thread].use(line))
    evict(thread, *evicted);
  last[thread] = line;
}

namespace {
/// The next reference of a thread.
struct Next {
  double time;
  unsigned thread;
  std::size_t reference;

  bool operator>(const Next &other) const {
    return std::tie(time, thread) > std::tie(other.time, other.thread);
  }
};
} // namespace

Traffic Replay::run(std::span<const Piece> pieces) {
  counted = {};
  std::ranges::fill(last, std::nullopt);
  std::vector<std::vector<const Piece *>> left(own.size()); // of each thread, the next one last
  for (const Piece &piece : pieces)
    if (!piece.references.empty())
      left[piece.thread].push_back(&piece);
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
  const auto add = [&](unsigned thread, std::size_t reference) {
    const Piece &piece = *left[thread].back();
    const double share =
        (static_cast<double>(reference) + 0.5) / static_cast<double>(piece.references.size());
    next.push({piece.begin + share * (piece.end - piece.begin), thread, reference});
  };
  for (unsigned thread = 0; thread < own.size(); ++thread) {
    std::ranges::reverse(left[thread]);
    if (!left[thread].empty())
      add(thread, 0);
  }
  while (!next.empty()) {
    const Next now = next.top();
    next.pop();
    auto &mine = left[now.thread];
    const auto references = mine.back()->references;
    refer(now.thread, references[now.reference]);
    if (now.reference + 1 < references.size())
      add(now.thread, now.reference + 1);
    else if (mine.pop_back(); !mine.empty())
      add(now.thread, 0);
  }
  Traffic all = counted;
  for (double &misses : all.misses)
    misses /= rate;
  for (double Traffic::*const count : trafficCounts)
    all.*count /= rate;
  return all;
}

} // namespace prophet::memmodel
