//===- Kernels.h - Ways of walking through memory ---------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each counts cache lines, where it says nothing else.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/Machine.h"
#include "memmodel/memory/Crew.h"
#include "memmodel/memory/Meeting.h"

#include <cstddef>
#include <map>
#include <string>

namespace memory_figures {

inline constexpr double lineBytes = 64;
inline constexpr double windowMs = 14; ///< of most figures

/// By name, and what that says.
using Figures = std::map<std::string, std::map<std::size_t, double>>;

struct alignas(64) Line {
  Line *next;
  std::uint64_t words[7];
};

/// On which a buffer lies.
enum class Pages {
  Usual, ///< as what a program allocates: how fast it gets at its data depends on them
  Huge   ///< where there are any, so that latencies are those of caches, without page walks
};

/// Memory. Ends the program with a message where there is none.
class Buffer {
public:
  explicit Buffer(std::size_t bytes, Pages pages = Pages::Usual);
  ~Buffer();
  Buffer(Buffer &&other) noexcept;
  Buffer &operator=(Buffer &&) = delete;

  Line *begin() const { return lines; }
  std::size_t size() const { return count; } ///< lines
  /// Writes to the first `lines` and makes one random circle of them, through all.
  void link(std::size_t lines);
  /// Writes to all pages, so that they are there.
  void touch();
  /// Of the circle: the line that was written first, and so is the first that a cache gives up.
  const Line *start() const { return first; }

private:
  Line *lines, *first;
  std::size_t count;
};

/// Follows the circle from its start on, one line at a time; when it is run again, from where it
/// was.
Job chase(const Buffer &buffer);
/// Reads independent random lines of the first `lines`; when it is run again, others.
/// \param seed > 0: another one, other places
Job irregular(const Buffer &buffer, std::size_t lines, std::uint64_t seed = 1);
/// The same with sparseAccesses (MemorySystem) to the first cache between each two.
Job sparse(const Buffer &buffer, std::size_t lines);
/// Reads a word of every `step`-th line, in order, all through the buffer.
Job stride(const Buffer &buffer, std::size_t step);
/// How many arrays loops go through in lock step that do so through several.
inline constexpr std::size_t streamsTogether = prophet::memmodel::MemoryFigures::streamsTogether;
/// Lines of a buffer, of which `run` are used in order and `left` left out by turns, from `first`
/// on to before `end`, and again and again.
struct Stretch {
  std::size_t first, end, run, left;
  /// Whether those that were left out come next, and so on by turns.
  bool alternates = false;
};
/// What a loop does to a line.
enum class Use {
  Read,      ///< 4 times, by vectors
  ReadAgain, ///< 16 times, with as many instructions besides, as loops over numbers do
  Change     ///< reads and writes it as often as Read
};
/// Goes through a stretch, with others that do so: they begin each pass together, and each waits
/// for the others after some 16384 lines of a stream, as loops' threads do where the loop ends.
/// Those that drift apart do not have their neighbours' prefetchers where they are. \pre the buffer
/// has the stretch, `run` lines are in it, and all have as many runs
/// \param meeting of these jobs, for one window
Job runs(const Buffer &buffer, Stretch stretch, Use use, Meeting &meeting);
/// Goes through that of each of as many parts of the buffer's first `lines` as streamsTogether
/// says, in lock step. \pre the first part has it
Job runsTogether(const Buffer &buffer, std::size_t lines, Stretch stretch, Use use,
                 Meeting &meeting);
/// Goes through the buffer in order; of three lines it writes `written` (0, 1 or 3), and reads the
/// others. After each thirty lines it computes for `pause` steps.
Job traffic(const Buffer &buffer, unsigned written, unsigned pause);
/// Reads the buffer's first `lines`, one at least, in order, and again and again; after each 64 KiB
/// it waits for `pauseNs` for each line of them.
Job paced(const Buffer &buffer, double pauseNs, std::size_t lines);
/// The same, through as many parts of the buffer.
Job trafficTogether(const Buffer &buffer, unsigned written, unsigned pause);
/// How often computing() multiplies and adds to each number of a line, beside adding it up.
inline constexpr unsigned computingRounds[] = {0, 1, 2, 4, 8, 16};
/// Goes through the buffer's first `lines`, thirty at least, in order, and computes on their
/// numbers. \param step which of computingRounds
Job computing(const Buffer &buffer, std::size_t step, std::size_t lines);
/// The same through as many parts of these lines as streamsTogether says, in lock step.
Job computingTogether(const Buffer &buffer, std::size_t step, std::size_t lines);
/// Adds one array to another, both in the first cache, 16 bytes at a time, which destroys a circle.
/// Counts accesses. \pre the buffer has 16 KiB
Job accesses(const Buffer &buffer);
/// Adds numbers, each sum to the next; counts additions.
Job additions();

} // namespace memory_figures
