//===- PartsReplay.cpp - A log's parts on other threads -------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/PartsReplay.h"

#include "memmodel/SteadyParts.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

namespace prophet::memmodel {

Turn dealTask(std::uint64_t task, std::uint64_t size, unsigned threads, std::uint64_t chunk) {
  if (chunk > 0) {
    const std::uint64_t block = task / chunk, number = block / threads * chunk + task % chunk;
    return {static_cast<unsigned>(block % threads), static_cast<double>(number)};
  }
  const std::uint64_t each = size / threads, more = size % threads;
  if (const std::uint64_t larger = (each + 1) * more; task < larger)
    return {static_cast<unsigned>(task / (each + 1)), static_cast<double>(task % (each + 1))};
  else
    return {static_cast<unsigned>(more + (task - larger) / each),
            static_cast<double>((task - larger) % each)};
}

namespace {

/// When the parts of a log take place.
class Clock {
public:
  explicit Clock(const TaskTimes &times) : times(times), factors(times.taskNs.size(), 1) {}

  double now = 0; ///< ns

  /// `part`, which is number `number`, begins. \returns how long its tasks take in the mean
  double begin(const AccessLog::Part &part, std::size_t number) {
    turns.push_back(now);
    if (times.taskNs.empty())
      return 1;
    if (part.site == AccessLog::Outside) {
      isBehindSerial = true;
      return serialNs() / std::max(1.0, static_cast<double>(part.size));
    }
    if (!isBehindSerial) // code of which the log has nothing
      now += serialNs();
    isFirst = isBehindSerial = false;
    return times.taskNsOf(number, part.site) * factors[part.site];
  }
  /// The part is over after `ns`.
  void end(double ns) {
    begins.push_back(now);
    now += ns;
  }
  /// The next part takes as long as one before, with the code between that the log has nothing of.
  /// \returns when it begins
  double repeat(std::size_t before, bool isSerial) {
    const double next = before + 1 < turns.size() ? turns[before + 1] : now;
    const double ns = next - turns[before], gap = begins[before] - turns[before];
    turns.push_back(now);
    now += gap;
    end(ns - gap);
    isBehindSerial = isSerial;
    return begins.back();
  }
  /// When a part had its turn.
  double turnOf(std::size_t number) const { return turns[number]; }
  /// Sections of `site` take so many times as long from now on.
  void burden(std::uint32_t site, double factor) { factors[site] = factor; }

private:
  const TaskTimes &times;
  std::vector<double> factors; ///< by now, by site
  /// ns, by part: when the one before was over, and when it began.
  std::vector<double> turns, begins;
  bool isFirst = true, isBehindSerial = false;

  double serialNs() const { return isFirst ? times.beforeNs : times.betweenNs; }
};

/// Where the tasks of `part`, which is number `number`, are among those that their threads have.
/// \param turns of those with references
std::vector<TaskPlace> placesOf(const AccessLog &log, const AccessLog::Part &part,
                                std::size_t number, const std::vector<Turn> &turns,
                                const Dealing &deal) {
  std::vector<TaskPlace> places;
  const std::span tasks = std::span(log.tasks).subspan(part.first, part.count);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const std::uint64_t task = tasks[i].number;
    const auto isMine = [&](std::uint64_t other, std::size_t place) {
      const bool isKnown = place < tasks.size() && tasks[place].number == other;
      return (isKnown ? turns[place] : deal(number, other)).thread == turns[i].thread;
    };
    places.push_back(taskPlace(task > 0 && isMine(task - 1, i - 1),
                               task + 1 < part.size && isMine(task + 1, i + 1)));
  }
  return places;
}

/// What has one log replayed.
class PartsReplay {
public:
  PartsReplay(const AccessLog &log, unsigned threads, const CacheSizes &sizes, const Dealing &deal,
              const TaskTimes &times)
      : log(log), threads(threads), deal(deal), times(times),
        replay(threads, sizes, log.rate, {log.own, log.lines}), clock(times),
        steady(log, times.areAlike, byPart) {}

  PartTraffics run() {
    while (byPart.size() < log.parts.size())
      if (const SteadyParts::Skip skip = steady.next(); skip.count > 0)
        leaveOut(skip);
      else
        execute(byPart.size());
    return std::move(byPart);
  }

private:
  const AccessLog &log;
  const unsigned threads;
  const Dealing &deal;
  const TaskTimes &times;
  Replay replay;
  Clock clock;
  PartTraffics byPart;
  SteadyParts steady;
  double usedSince = 0; ///< by the parts that those repeat which have been left out in no rounds
  double leftOutNs = 0; ///< what these take, since the last one that was executed

  void leaveOut(const SteadyParts::Skip &skip) {
    const double since = clock.turnOf(byPart.size() - skip.period);
    if (skip.isRound) {
      letTimePass();
      leaveOutRounds(skip, since);
      return;
    }
    usedSince = leftOutNs > 0 ? std::min(usedSince, since) : since;
    const double turn = clock.now;
    repeat(byPart.size() - skip.period);
    leftOutNs += clock.now - turn;
    byPart.addAs(byPart.size() - skip.period);
    steady.add(false);
  }

  /// What rounds do not use goes meanwhile: that counts as theirs.
  void leaveOutRounds(const SteadyParts::Skip &skip, double since) {
    const std::size_t first = byPart.size() - skip.period;
    const std::size_t rounds = skip.count / skip.period;
    replay.passTime(since, (clock.now - since) * static_cast<double>(rounds));
    for (std::size_t i = 0; i < skip.count; ++i) {
      const std::size_t before = first + i % skip.period;
      const double begin = repeat(before);
      if (const Traffic gone = replay.run({}, begin, clock.now); gone.writeBacks > 0) {
        Traffic moved = byPart[before];
        byPart.add(moved += gone);
      } else {
        byPart.addAs(before);
      }
      steady.add(false);
    }
  }

  /// The next part takes as long as one before. \returns when it begins
  double repeat(std::size_t before) {
    return clock.repeat(before, log.parts[before].site == AccessLog::Outside);
  }

  /// Of parts that were left out in no rounds: whose lines go meanwhile is not known.
  void letTimePass() {
    if (leftOutNs > 0)
      replay.passTime(usedSince, std::exchange(leftOutNs, 0));
  }

  void execute(std::size_t number) {
    letTimePass();
    const AccessLog::Part &part = log.parts[number];
    const bool isSerial = part.site == AccessLog::Outside;
    const auto size = static_cast<double>(part.size);
    const double each = clock.begin(part, number);
    double end = each * (isSerial ? size : times.end ? times.end(number) : size / threads);
    const std::vector<Piece> pieces = piecesOf(part, number, each);
    for (const Piece &piece : pieces)
      end = std::max(end, piece.end);
    byPart.add(replay.run(pieces, clock.now, clock.now + end));
    steady.add(true);
    clock.end(end);
    if (times.burden && !isSerial && part.size > 0)
      clock.burden(part.site, times.burden(number, byPart[number]));
  }

  /// \param each how long its tasks take, in the mean
  std::vector<Piece> piecesOf(const AccessLog::Part &part, std::size_t number, double each) const {
    const bool isSerial = part.site == AccessLog::Outside;
    std::vector<Turn> turns;
    for (std::size_t i = part.first; i < part.first + part.count; ++i) {
      const std::uint64_t task = log.tasks[i].number;
      turns.push_back(isSerial ? Turn{0, static_cast<double>(task)} : deal(number, task));
    }
    const std::vector<TaskPlace> places = isSerial
                                              ? std::vector<TaskPlace>(part.count, TaskPlace::Alone)
                                              : placesOf(log, part, number, turns, deal);
    std::vector<Piece> pieces;
    std::vector<double> latest(threads); // beginning, of each thread
    bool inTurn = true;                  // of each thread
    for (std::size_t i = 0; i < turns.size(); ++i) {
      const AccessLog::Task &task = log.tasks[part.first + i];
      const Turn &turn = turns[i];
      const double begin = each * turn.begin, length = each * turn.length;
      inTurn &= begin >= latest[turn.thread];
      latest[turn.thread] = begin;
      pieces.push_back({turn.thread, begin, begin + length,
                        std::span(log.references).subspan(task.first, task.count), places[i]});
    }
    if (!inTurn) // a thread that steals has tasks before those that it had to begin with
      std::ranges::sort(pieces, {}, [](const Piece &piece) {
        return std::tuple(piece.begin, piece.end, piece.references.data());
      });
    return pieces;
  }
};

} // namespace

PartTraffics replayParts(const AccessLog &log, unsigned threads, CacheSizes sizes,
                         const Dealing &deal, const TaskTimes &times) {
  if (times.taskNs.empty() && sizes.reach.size() > 1)
    sizes.reach.clear();
  return PartsReplay(log, threads, sizes, deal, times).run();
}

std::vector<Traffic> trafficBySite(const AccessLog &log, std::size_t sites,
                                   const PartTraffics &byPart) {
  std::vector<Traffic> bySite(sites + 1);
  for (std::size_t i = 0; i < byPart.size(); ++i)
    bySite[log.parts[i].site == AccessLog::Outside ? sites : log.parts[i].site] += byPart[i];
  return bySite;
}

std::vector<Traffic> replayProgram(const AccessLog &log, std::size_t sites, unsigned threads,
                                   const CacheSizes &sizes, const Dealing &deal) {
  return trafficBySite(log, sites, replayParts(log, threads, sizes, deal));
}

} // namespace prophet::memmodel
