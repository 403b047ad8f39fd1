//===- StreamRuns.cpp - How far tasks go through memory in order ----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/StreamRuns.h"

#include "memmodel/Median.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace prophet::memmodel {

namespace {

/// What parts of a site have in the sample.
struct Sum {
  double references = 0; ///< of streams
  double ahead = 0;      ///< of these, those by which streams go on
  double written = 0;    ///< of those, to lines that are written
  double lines = 0;      ///< of all classes, each once a task
  double tasks = 0;
  std::vector<double> arrays;        ///< of `ahead`, each array's, from the longest on
  std::vector<double> writtenArrays; ///< of `written`, the same
  std::vector<double> readArrays;    ///< and of the others
  double sweeps = 0;                 ///< arrays, times the parts' tasks
  double steps = 0; ///< from a line to the next in memory, where that is another task's
  double turns = 0; ///< of these, those against the sweeps: from one array's end to the next one
  double ends = 0;  ///< of tasks in arrays
  double seams = 0; ///< of these, those behind which the next task's lines follow
  double users = 0; ///< lines of streams
  double alone = 0; ///< of these, as many as would go through the stream that another one is in

  /// Adds so many parts like another one.
  void add(const Sum &other, double times) {
    for (double Sum::*const count :
         {&Sum::references, &Sum::ahead, &Sum::written, &Sum::lines, &Sum::tasks, &Sum::sweeps,
          &Sum::steps, &Sum::turns, &Sum::ends, &Sum::seams, &Sum::users, &Sum::alone})
      this->*count += times * other.*count;
    for (std::vector<double> Sum::*const each :
         {&Sum::arrays, &Sum::writtenArrays, &Sum::readArrays}) {
      (this->*each).resize(std::max((this->*each).size(), (other.*each).size()));
      for (std::size_t i = 0; i < (other.*each).size(); ++i)
        (this->*each)[i] += times * (other.*each)[i];
    }
  }
};

/// The tasks of a part that use a line.
struct Users {
  std::uint64_t first = 0, last = 0, count = 0;
  bool areWriters = false; ///< one of them is

  void add(std::uint64_t task, bool isWrite) {
    first = count == 0 ? task : first;
    last = task;
    ++count;
    areWriters |= isWrite;
  }
  /// By how many lines it has streams go on in a section of `size` tasks: one, where all its users
  /// are neighbours, in one line or in a stencil's rows or planes.
  double ahead(std::uint64_t size) const {
    const std::uint64_t near = std::max<std::uint64_t>(16, size / 16);
    return last - first < near ? 1 : static_cast<double>(count);
  }
};

/// A part's lines that streams use, with the first task that does.
using FirstTasks = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

double distinctLines(const AccessLog &log, const AccessLog::Task &task) {
  std::vector<std::uint32_t> lines;
  lines.reserve(task.count);
  for (std::size_t r = task.first; r < task.first + task.count; ++r)
    lines.push_back(log.references[r].line);
  std::ranges::sort(lines);
  return static_cast<double>(std::ranges::unique(lines).begin() - lines.begin());
}

/// The numbers of arrays by place, of those that streams go through once in a section.
using Arrays = std::unordered_map<std::uint32_t, std::size_t>;

/// An array ends where tasks turn back by half of the section or more.
/// \param lines by place \param size of the section, in tasks \param ascends whether tasks do
Arrays arraysOf(const FirstTasks &lines, std::uint64_t size, bool ascends) {
  Arrays result;
  std::size_t number = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) {
      const std::uint64_t before = lines[i - 1].second, after = lines[i].second;
      const bool back = ascends ? after < before : after > before;
      number += back && 2 * (ascends ? before - after : after - before) >= size ? 1 : 0;
    }
    result[lines[i].first] = number;
  }
  return result;
}

/// The chance that two lines are of one array.
double chanceOfOne(const Arrays &arrays) {
  std::unordered_map<std::size_t, double> lines;
  for (const auto &[place, array] : arrays)
    ++lines[array];
  double squares = 0;
  for (const auto &[array, count] : lines)
    squares += count * count;
  const auto all = static_cast<double>(arrays.size());
  return squares / (all * all);
}

/// The chance that two lines are of one array that are as near each other in time as a prefetcher
/// keeps lines ahead: what it is among all, if all are gone through in lock step.
double chanceOfOneNearby(const AccessLog &log, const AccessLog::Part &part, const Arrays &arrays) {
  constexpr double near = 64; // lines
  const auto window = static_cast<std::size_t>(std::max(4LL, std::llround(near * log.rate)));
  std::unordered_map<std::size_t, double> inWindow;
  std::optional<std::uint32_t> last;
  std::size_t size = 0;
  double same = 0, pairs = 0;
  for (std::size_t i = part.first; i < part.first + part.count; ++i)
    for (std::size_t r = log.tasks[i].first; r < log.tasks[i].first + log.tasks[i].count; ++r) {
      const Reference &reference = log.references[r];
      if (reference.accessClass != AccessClass::Stream || last == reference.line)
        continue;
      last = reference.line;
      same += inWindow[arrays.at(log.places[reference.line])]++; // with those before it
      pairs += static_cast<double>(size);
      if (++size < window)
        continue;
      inWindow.clear();
      size = 0;
    }
  return pairs > 0 ? same / pairs : 1;
}

/// Adds what the tasks of `lines` do in the order of memory: how far they go up or down, which is
/// once through the section for each array, and how often they turn.
/// \returns whether they go up
bool addSweeps(FirstTasks &lines, Sum &sum) {
  std::ranges::sort(lines);
  double up = 0, down = 0, ups = 0, downs = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto before = static_cast<double>(lines[i - 1].second);
    const auto after = static_cast<double>(lines[i].second);
    if (after != before) {
      (after > before ? up : down) += std::abs(after - before);
      ++(after > before ? ups : downs);
    }
  }
  sum.sweeps += std::max(up, down);
  sum.turns += up >= down ? downs : ups;
  sum.steps += ups + downs;
  return up >= down;
}

/// How far apart in memory tasks begin, lines: the median of pairs that are half of them apart, so
/// that a few that are elsewhere do not count.
/// \param begins where each task's first line is, and its number, by either; two at least
double pitchOf(const std::vector<FirstTasks::value_type> &begins) {
  std::vector<double> pitches;
  for (std::size_t i = 0, half = begins.size() / 2; i + half < begins.size(); ++i) {
    const auto &[place, task] = begins[i];
    const auto &[otherPlace, otherTask] = begins[i + half];
    pitches.push_back((otherPlace - place) /
                      std::abs(static_cast<double>(otherTask) - static_cast<double>(task)));
  }
  return median(std::move(pitches));
}

/// How many lines lie behind those that a task has in an array, before the next task's; 0, where
/// the sample does not tell, or tasks go to and fro.
/// \param lines of the array by place, each used by one task or by neighbours \param tasks that do
double gapOf(const FirstTasks &lines, double tasks, bool ascends, double rate) {
  constexpr std::size_t fewest = 8;
  std::vector<FirstTasks::value_type> begins;
  for (const auto &[place, task] : lines) {
    if (begins.empty() || task != begins.back().second)
      begins.emplace_back(place, task);
    if (begins.size() > 1 && ascends != (task > begins[begins.size() - 2].second))
      return 0;
  }
  if (lines.size() < fewest || begins.size() < 2)
    return 0;
  const double run = static_cast<double>(lines.size()) / (rate * tasks);
  const double slack = 2 / (rate * tasks); // two lines of the sample
  return std::max(0.0, pitchOf(begins) - run - slack);
}

/// Adds how many tasks' ends there are in each array, and how many of them are others' beginnings:
/// the fewer, the more lines lie between a task's and the next one's.
/// \param lines by place \param size of the section, in tasks \param ascends whether tasks do
void addSeams(const FirstTasks &lines, const Arrays &arrays,
              const std::unordered_map<std::uint32_t, Users> &users, std::uint64_t size,
              bool ascends, double rate, Sum &sum) {
  constexpr double fades = 20; // lines of a gap: decision 23
  std::map<std::size_t, FirstTasks> byArray;
  for (const auto &line : lines)
    if (users.at(line.first).ahead(size) == 1) // what all use lies before all, or elsewhere
      byArray[arrays.at(line.first)].push_back(line);
  for (const auto &[array, its] : byArray) {
    const auto first = static_cast<double>(its.front().second);
    const double tasks = 1 + std::abs(static_cast<double>(its.back().second) - first);
    sum.ends += tasks;
    sum.seams += tasks * std::exp(-gapOf(its, tasks, ascends, rate) / fades);
  }
}

/// Adds lines by array to those of `sums`, from the most on.
void addSorted(const std::unordered_map<std::size_t, double> &lines, std::vector<double> &sums) {
  std::vector<double> sorted;
  for (const auto &[array, count] : lines)
    sorted.push_back(count);
  std::ranges::sort(sorted, std::greater<>());
  sums.resize(std::max(sums.size(), sorted.size()));
  for (std::size_t i = 0; i < sorted.size(); ++i)
    sums[i] += sorted[i];
}

/// Adds what streams go on by in each array.
void addArrays(const Arrays &arrays, const std::unordered_map<std::uint32_t, Users> &users,
               std::uint64_t size, Sum &sum) {
  std::unordered_map<std::size_t, double> ahead, written, read;
  for (const auto &[place, array] : arrays) {
    const Users &of = users.at(place);
    ahead[array] += of.ahead(size);
    (of.areWriters ? written : read)[array] += of.ahead(size);
  }
  addSorted(ahead, sum.arrays);
  addSorted(written, sum.writtenArrays);
  addSorted(read, sum.readArrays);
}

/// What a part has in the sample.
Sum sumOf(const AccessLog &log, const AccessLog::Part &part) {
  Sum sum;
  std::unordered_map<std::uint32_t, Users> users; // by the line's place
  for (std::size_t i = part.first; i < part.first + part.count; ++i) {
    const AccessLog::Task &task = log.tasks[i];
    for (std::size_t r = task.first; r < task.first + task.count; ++r)
      if (const Reference &reference = log.references[r];
          reference.accessClass == AccessClass::Stream) {
        ++sum.references;
        users[log.places[reference.line]].add(task.number, reference.isWrite);
      }
    sum.lines += distinctLines(log, task);
  }
  FirstTasks lines;
  lines.reserve(users.size());
  for (const auto &[place, of] : users) {
    lines.emplace_back(place, of.first);
    sum.ahead += of.ahead(part.size);
    sum.written += of.areWriters ? of.ahead(part.size) : 0;
  }
  const bool ascends = addSweeps(lines, sum);
  const Arrays arrays = arraysOf(lines, part.size, ascends);
  addArrays(arrays, users, part.size, sum);
  addSeams(lines, arrays, users, part.size, ascends, log.rate, sum);
  const auto count = static_cast<double>(lines.size());
  sum.users = count;
  if (!arrays.empty())
    sum.alone = count * std::max(chanceOfOne(arrays), chanceOfOneNearby(log, part, arrays));
  sum.tasks = static_cast<double>(part.size);
  return sum;
}

} // namespace

std::vector<double> TaskStreams::longestRuns(double tasks, double ahead) const {
  std::vector<double> longest;
  double left = ahead;
  for (auto of = runs.begin(); of != runs.end() && left > 0; ++of) {
    longest.push_back(std::min(left, *of * tasks));
    left -= longest.back();
  }
  if (left > 0)
    for (double &of : longest)
      of *= ahead / (ahead - left);
  return longest;
}

std::vector<TaskStreams> taskStreams(const AccessLog &log, std::size_t sites) {
  std::vector<TaskStreams> result(sites);
  if (log.places.empty())
    return result;
  // Parts that did the same, which those of an iterative program mostly are, are looked at once.
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::size_t, std::size_t>, double> alike;
  for (const AccessLog::Part &part : log.parts)
    if (part.site != AccessLog::Outside && part.size >= 2)
      ++alike[{part.site, part.size, part.first, part.count}];
  std::vector<Sum> sums(sites);
  for (const auto &[part, times] : alike) {
    const auto [site, size, first, count] = part;
    sums[site].add(sumOf(log, {site, size, first, count}), times);
  }
  constexpr double fewest = 16; // lines of a stream: with fewer its ends lie too far inside
  for (std::size_t site = 0; site < sites; ++site) {
    const Sum &sum = sums[site];
    const double arrays = std::max(1.0, sum.tasks > 0 ? sum.sweeps / sum.tasks : 0);
    const bool inOrder = sum.turns <= sum.steps / 8;
    if (!inOrder || sum.references < fewest * arrays)
      continue;
    const double tasks = sum.tasks * log.rate;
    TaskStreams &its = result[site];
    its = {.run = sum.ahead / tasks / arrays,
           .seamless = sum.ends > 0 ? sum.seams / sum.ends : 1,
           .lines = sum.lines / tasks,
           .written = sum.written / sum.ahead,
           .together = sum.users / sum.alone};
    for (const double lines : sum.arrays)
      its.runs.push_back(lines / tasks);
    for (const double lines : sum.writtenArrays)
      its.writtenRuns.push_back(lines / tasks);
    for (const double lines : sum.readArrays)
      its.readRuns.push_back(lines / tasks);
  }
  return result;
}

} // namespace prophet::memmodel
