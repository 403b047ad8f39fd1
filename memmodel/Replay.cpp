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
#include <utility>

namespace prophet::memmodel {

static std::size_t sampledLines(double lines, double rate) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::llround(lines * rate)));
}

static SharedCache sharedCache(const CacheSizes &sizes, double rate) {
  return sizes.reach.empty() ? SharedCache(sizes.sharedLines * rate)
                             : SharedCache(sizes.reach, sizes.reachSigma, rate);
}

OwnLines::OwnLines(std::span<const std::uint32_t> own, std::uint32_t lines)
    : numbers(own.begin(), own.end()), places(own.empty() ? 0 : own.back() + 1), lines(lines) {
  for (std::uint32_t place = 0; place < count(); ++place)
    places[numbers[place]] = place + 1;
}

Replay::Replay(unsigned threads, const CacheSizes &sizes, double rate, OwnLines ownLines)
    : rate(rate), sharers(std::clamp(sizes.sharers, 1u, threads)), ownLines(std::move(ownLines)),
      own(threads, LruCache(sampledLines(sizes.privateLines, rate))), last(threads),
      shared((threads - 1) / sharers + 1, sharedCache(sizes, rate)) {}

/// The shared cache of `group` has `line` no more.
void Replay::drop(unsigned group, std::uint32_t line) {
  --lines[line].copies;
  if (lines[line].dirtyIn != group)
    return;
  ++counted().writeBacks;
  lines[line].dirtyIn = Nobody;
}

/// Drops what shared caches do not have any more by now.
void Replay::forget() {
  for (unsigned group = 0; group < shared.size(); ++group)
    while (const auto gone = shared[group].forget(now))
      drop(group, *gone);
}

/// The shared cache of `group` takes `line` in, or uses it.
void Replay::share(unsigned group, std::uint32_t line, bool isDirty) {
  LineState &state = lines[line];
  state.copies += shared[group].contains(line) ? 0 : 1;
  if (isDirty)
    state.dirtyIn = group;
  if (const auto evicted = shared[group].use(line, now))
    drop(group, *evicted);
}

/// `thread`'s cache has dropped `line`.
void Replay::evict(unsigned thread, std::uint32_t line) {
  LineState &state = lines[line];
  --state.holders;
  if (state.owner != thread)
    return;
  state.owner = Nobody;
  share(groupOf(thread), line, true);
}

/// What `thread` writes nobody else has any more.
void Replay::takeFromOthers(unsigned thread, std::uint32_t line) {
  LineState &state = lines[line];
  const unsigned mine = holds(thread, line) ? 1 : 0;
  for (unsigned other = 0; other < own.size() && state.holders > mine; ++other)
    if (other != thread && holds(other, line)) {
      own[other].erase(ownLines.numberOf(line));
      --state.holders;
    }
  if (!isElsewhere(groupOf(thread), state, line))
    return;
  for (unsigned group = 0; group < shared.size(); ++group)
    if (group != groupOf(thread) && shared[group].contains(line)) {
      shared[group].erase(line);
      --state.copies;
    }
}

/// Whether a thread that shares `thread`'s last-level cache has `line` in its own.
bool Replay::isNear(unsigned thread, const LineState &state, std::uint32_t line) const {
  const std::size_t first = std::size_t(groupOf(thread)) * sharers;
  const std::size_t end = std::min(first + sharers, own.size());
  for (std::size_t other = first; other < end && state.holders > 0; ++other)
    if (other != thread && holds(other, line))
      return true;
  return false;
}

/// Whether the shared cache of another group than this has `line`.
bool Replay::isElsewhere(unsigned group, const LineState &state, std::uint32_t line) const {
  return shared.size() > 1 && state.copies > (shared[group].contains(line) ? 1u : 0u);
}

/// A line that others take while the thread is at it takes its time.
void Replay::countTransfer(unsigned thread, const Reference &reference, double Traffic::*ahead) {
  ++counted().transfers;
  if (last[thread] == reference.line)
    return;
  if (isFetchedAhead(reference.accessClass)) {
    ++counted().transfersAhead;
    counted().*ahead += reference.accessClass == AccessClass::Stream ? 1 : 0;
  }
  counted().transfersAtOnce += reference.accessClass == AccessClass::Irregular ? 1 : 0;
}

/// From wherever the newest copy is, to a thread that has none.
void Replay::fetch(unsigned thread, const Reference &reference, LineState &state) {
  const std::uint32_t line = reference.line;
  const unsigned group = groupOf(thread);
  double Traffic::*const ahead = reference.isWrite ? &Traffic::writtenAhead : &Traffic::readAhead;
  if (state.owner != Nobody) {
    countTransfer(thread, reference, ahead);
    if (reference.isWrite)
      return;
    const unsigned from = groupOf(state.owner); // now there are two of them
    state.owner = Nobody;
    state.isReadByTwo = true;
    share(from, line, true);
    if (from != group)
      share(group, line, false);
    return;
  }
  const bool isHere = shared[group].contains(line);
  const bool others = isElsewhere(group, state, line) || state.holders > 0;
  if (isHere && !(reference.isWrite && others && shared.size() > 1)) {
    ++counted().sharedHits;
    counted().sharedAhead += isFetchedAhead(reference.accessClass) ? 1 : 0;
    counted().sharedChased += reference.accessClass == AccessClass::Chase ? 1 : 0;
    if (state.dirtyIn == group && !others && !state.isReadByTwo) {
      state.owner = thread;
      state.dirtyIn = Nobody;
    }
  } else if (isHere || isNear(thread, state, line) || state.dirtyIn != Nobody) {
    countTransfer(thread, reference, ahead);
  } else {
    ++counted().misses[static_cast<std::size_t>(reference.accessClass)];
  }
  share(group, line, false);
}

/// Each line once for every piece.
void Replay::countUse(const Reference &reference, LineState &state, std::uint64_t piece) {
  const auto count = [&](double &lines, std::uint64_t &in) {
    lines += in != piece ? 1 : 0;
    in = piece;
  };
  PlaceUse &here = used[place];
  if (isFetchedAhead(reference.accessClass))
    count(here.used, state.usedIn);
  if (reference.accessClass == AccessClass::Stream)
    reference.isWrite ? count(here.stored, state.storedIn) : count(here.loaded, state.loadedIn);
}

void Replay::refer(unsigned thread, Reference reference, std::uint64_t piece) {
  const std::uint32_t number = reference.line, line = ownLines.of(thread, number);
  reference.line = line;
  if (line >= lines.size())
    lines.resize(line + 1);
  forget();
  LineState &state = lines[line];
  countUse(reference, state, piece);
  const bool has = own[thread].contains(number);
  const bool othersHave =
      state.holders > (has ? 1u : 0u) || isElsewhere(groupOf(thread), state, line);
  if (!has)
    fetch(thread, reference, state);
  else if (reference.isWrite && othersHave)
    countTransfer(thread, reference, &Traffic::upgradedAhead); // the others drop theirs
  const bool isSettled = state.settledIn == piece;
  if (!has || (reference.isWrite && (othersHave || reference.accessClass == AccessClass::Stream)))
    state.settledIn = piece;
  if (reference.isWrite) {
    const bool isOwn = has && !othersHave && reference.accessClass == AccessClass::Stream;
    counted().ownWritten += isOwn && !isSettled ? 1 : 0;
    if (othersHave)
      takeFromOthers(thread, line);
    state.owner = thread;
    state.isReadByTwo = false;
    state.dirtyIn = Nobody; // what a shared cache has is old
  }
  if (!has)
    ++state.holders;
  if (const auto evicted = own[thread].use(number))
    evict(thread, ownLines.of(thread, *evicted));
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

/// What has moved in this run, of the lines that are referred to.
Traffic Replay::countedInAll() const {
  Traffic all;
  for (const Traffic &some : moved)
    all += some;
  for (std::size_t i = 0; i < taskPlaces; ++i) {
    const auto missed = [&](AccessClass its) {
      return moved[i].misses[static_cast<std::size_t>(its)];
    };
    PlaceUse &use = all.places[i] = used[i];
    use.ahead = missed(AccessClass::Stream) + missed(AccessClass::Stride) + moved[i].sharedAhead +
                moved[i].transfersAhead;
    use.ownWritten = moved[i].ownWritten;
    for (const MovedCount &of : movedCounts)
      use.*of.inPlace = moved[i].*of.lines;
  }
  return all;
}

Traffic Replay::run(std::span<const Piece> pieces, double start, double end) {
  now = start;
  forget(); // until then: nobody's in particular
  moved = {};
  used = {};
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
    const Next turn = next.top();
    next.pop();
    auto &mine = left[turn.thread];
    const auto references = mine.back()->references;
    now = start + turn.time;
    place = static_cast<std::size_t>(mine.back()->place);
    refer(turn.thread, references[turn.reference],
          firstPiece + static_cast<std::uint64_t>(mine.back() - pieces.data()));
    if (turn.reference + 1 < references.size())
      add(turn.thread, turn.reference + 1);
    else if (mine.pop_back(); !mine.empty())
      add(turn.thread, 0);
  }
  firstPiece += pieces.size();
  if (end > now) {
    now = end;
    forget();
  }
  return countedInAll().scaled(1 / rate);
}

} // namespace prophet::memmodel
