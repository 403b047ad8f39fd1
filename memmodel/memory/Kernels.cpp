//===- Kernels.cpp - Ways of walking through memory -----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/memory/Kernels.h"

#include "memmodel/memory/Lines.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <sys/mman.h>
#include <utility>

namespace memory_figures {

static constexpr std::size_t hugePage = std::size_t(2) << 20;

Buffer::Buffer(std::size_t bytes, Pages pages) : count(bytes / sizeof(Line)) {
  bytes = (bytes + hugePage - 1) / hugePage * hugePage;
  first = lines = static_cast<Line *>(std::aligned_alloc(hugePage, bytes));
  if (!lines) {
    std::fprintf(stderr, "no %zu MB of memory; end other programs\n", bytes >> 20);
    std::exit(2);
  }
  if (pages == Pages::Huge)
    madvise(lines, bytes, MADV_HUGEPAGE);
}

Buffer::~Buffer() { std::free(lines); }

Buffer::Buffer(Buffer &&other) noexcept
    : lines(std::exchange(other.lines, nullptr)), first(other.first), count(other.count) {}

void Buffer::link(std::size_t linked) {
  std::vector<std::uint32_t> order(linked);
  std::iota(order.begin(), order.end(), 0u);
  std::minstd_rand random(1);
  for (std::size_t i = linked - 1; i > 0; --i)
    std::swap(order[i], order[random() % (i + 1)]);
  for (std::size_t i = 0; i < linked; ++i)
    lines[order[i]].next = &lines[order[(i + 1) % linked]];
  first = &lines[order.front()];
}

void Buffer::touch() {
  constexpr std::size_t page = 4096 / sizeof(Line);
  for (std::size_t i = 0; i < count; i += page)
    lines[i].words[0] = 1;
}

Job chase(const Buffer &buffer) {
  return [at = buffer.start()](Meter &meter) mutable {
    for (; meter.goOn(); meter.add(64)) {
      for (int i = 0; i < 64; ++i)
        at = at->next;
      keep(at);
    }
  };
}

/// The next number below `end`.
static std::size_t randomUpTo(std::size_t end, std::uint64_t &state) {
  state = state * 6364136223846793005u + 1442695040888963407u; // Knuth's MMIX
  return ((state >> 32) * end) >> 32;
}

Job irregular(const Buffer &buffer, std::size_t lines, std::uint64_t seed) {
  return [&buffer, lines, state = seed](Meter &meter) mutable {
    std::uint64_t sum = 0;
    for (; meter.goOn(); meter.add(256)) {
      for (int i = 0; i < 256; ++i)
        sum += buffer.begin()[randomUpTo(lines, state)].words[0];
      keep(sum);
    }
  };
}

Job stride(const Buffer &buffer, std::size_t step) {
  return [&buffer, step](Meter &meter) {
    std::uint64_t sum = 0;
    while (true)
      for (std::size_t first = 0; first < step; ++first)
        for (std::size_t i = first; i < buffer.size(); i += step) {
          sum += buffer.begin()[i].words[0];
          if (i / step % 64 != 63)
            continue;
          keep(sum);
          meter.add(64);
          if (!meter.goOn())
            return;
        }
  };
}

/// Reads a line as often as it has indices here, each with an instruction for the sum besides: so
/// that fewer lines are among the instructions that a core has under way. Unrolled by all
/// compilers.
template <std::size_t... Index>
static void addAgain(const Line &line, std::uint64_t &sum, std::index_sequence<Index...>) {
  const volatile std::uint64_t *words = line.words; // read each time
  const auto add = [&](std::uint64_t word) {
    asm volatile("" : "+r"(word)); // in a register first
    sum += word;
  };
  (add(words[Index % std::size(Line{}.words)]), ...);
}

Job sparse(const Buffer &buffer, std::size_t lines) {
  return [&buffer, lines, state = std::uint64_t(0)](Meter &meter) mutable { // not irregular()'s
    constexpr auto half =
        std::make_index_sequence<prophet::memmodel::MemorySystem::sparseAccesses / 2>();
    Line near{};
    std::uint64_t far = 0, sum = 0, other = 0; // two sums, so that adding takes half as long
    for (; meter.goOn(); meter.add(64)) {
      for (int i = 0; i < 64; ++i) {
        far += buffer.begin()[randomUpTo(lines, state)].words[0];
        addAgain(near, sum, half);
        addAgain(near, other, half);
      }
      keep(far + sum + other);
    }
  };
}

/// \param apart lines from each of so many streams to the next one
template <Use Kind, std::size_t... Stream>
static void goThrough(const Buffer &buffer, std::size_t apart, const Stretch &stretch,
                      Meeting &meeting, Meter &meter, std::index_sequence<Stream...>) {
  constexpr std::size_t again = 12;
  static_assert(vectors == prophet::memmodel::StreamEnds::leanAccesses &&
                vectors + again == prophet::memmodel::StreamEnds::busyAccesses);
  const auto [start, end, run, left, alternates] = stretch;
  Vector sums[vectors] = {};
  std::uint64_t more = 0;
  const auto use = [&](Line &line) {
    if constexpr (Kind == Use::Change)
      changeLine(line);
    else
      addLine(line, sums);
    if constexpr (Kind == Use::ReadAgain)
      addAgain(line, more, std::make_index_sequence<again>());
  };
  constexpr std::size_t linesBetweenMeetings = std::size_t(1) << 14;
  for (std::size_t out = 0;; out = alternates ? left - out : 0) {
    std::size_t next = start; // meeting
    for (std::size_t at = start + out; at + run <= end; at += run + left) {
      if (at >= next) {
        meeting.attend(meter);
        next = at + linesBetweenMeetings / run * (run + left);
      }
      for (std::size_t i = at; i < at + run; ++i)
        (use(buffer.begin()[Stream * apart + i]), ...);
      keepAll(sums);
      keep(more);
      meter.add(run * sizeof...(Stream));
      if (!meter.goOn())
        return;
    }
  }
}

template <std::size_t Streams>
static Job runsOf(const Buffer &buffer, std::size_t apart, Stretch stretch, Use use,
                  Meeting &meeting) {
  return [&buffer, apart, stretch, use, &meeting](Meter &meter) {
    constexpr auto each = std::make_index_sequence<Streams>();
    if (use == Use::Read)
      goThrough<Use::Read>(buffer, apart, stretch, meeting, meter, each);
    else if (use == Use::ReadAgain)
      goThrough<Use::ReadAgain>(buffer, apart, stretch, meeting, meter, each);
    else
      goThrough<Use::Change>(buffer, apart, stretch, meeting, meter, each);
  };
}

Job runs(const Buffer &buffer, Stretch stretch, Use use, Meeting &meeting) {
  return runsOf<1>(buffer, 0, stretch, use, meeting);
}

Job runsTogether(const Buffer &buffer, std::size_t lines, Stretch stretch, Use use,
                 Meeting &meeting) {
  return runsOf<streamsTogether>(buffer, lines / streamsTogether, stretch, use, meeting);
}

/// 1 / `trafficChunk` is what asking whether to stop may cost.
static constexpr std::size_t trafficChunk = 30;

static void compute(unsigned steps) {
  std::uint64_t value = steps;
  for (unsigned i = 0; i < steps; ++i) {
    value *= 3;
    keep(value);
  }
}

/// What a loop does to trafficChunk lines, of Streams parts that are `apart` in turns.
using Pass = void (*)(Line *lines, std::size_t apart);

/// Gives trafficChunk lines to `use`, with their numbers. The streams' turns are unrolled by all
/// compilers.
template <std::size_t Streams, typename Use>
static void takeTurns(Line *lines, std::size_t apart, Use use) {
  static_assert(trafficChunk % Streams == 0);
  for (std::size_t i = 0; i < trafficChunk / Streams; ++i)
    [&]<std::size_t... Stream>(std::index_sequence<Stream...>) {
      (use(lines[Stream * apart + i], i * Streams + Stream), ...);
    }(std::make_index_sequence<Streams>());
}

/// \param Period of lines, the first of which is written; 0: none is.
template <std::size_t Period, std::size_t Streams>
static void sweep(Line *lines, std::size_t apart) {
  Vector sums[vectors] = {};
  takeTurns<Streams>(lines, apart, [&](Line &line, std::size_t number) {
    if (Period && number % (Period ? Period : 1) == 0)
      changeLine(line); // fetched, changed and written back
    else
      addLine(line, sums);
  });
  keepAll(sums);
}

/// Again and again through `streams` parts of the buffer's first `lines` in lock step, `pass` by
/// `pass`.
static Job sweeps(const Buffer &buffer, Pass pass, unsigned pause, std::size_t lines,
                  std::size_t streams) {
  const std::size_t each = trafficChunk / streams;
  return [&buffer, pass, pause, each, part = std::max(lines / streams, each)](Meter &meter) {
    while (true)
      for (std::size_t i = 0; i + each <= part; i += each) {
        pass(buffer.begin() + i, part);
        compute(pause);
        meter.add(trafficChunk);
        if (!meter.goOn())
          return;
      }
  };
}

template <std::size_t Streams> static Pass trafficPass(unsigned written) {
  return written == 0 ? sweep<0, Streams> : written == 1 ? sweep<3, Streams> : sweep<1, Streams>;
}

Job traffic(const Buffer &buffer, unsigned written, unsigned pause) {
  return sweeps(buffer, trafficPass<1>(written), pause, buffer.size(), 1);
}

Job paced(const Buffer &buffer, double pauseNs, std::size_t lines) {
  return [&buffer, pauseNs, lines](Meter &meter) {
    using Clock = std::chrono::steady_clock;
    constexpr std::size_t block = (64 << 10) / sizeof(Line);
    while (true)
      for (std::size_t at = 0; at < lines; at += block) {
        const std::size_t end = std::min(at + block, lines);
        Vector sums[vectors] = {};
        for (std::size_t i = at; i < end; ++i)
          addLine(buffer.begin()[i], sums);
        keepAll(sums);
        meter.add(end - at);
        if (!meter.goOn())
          return;
        if (pauseNs <= 0)
          continue;
        const std::chrono::duration<double, std::nano> pause(pauseNs *
                                                             static_cast<double>(end - at));
        for (const auto begin = Clock::now(); Clock::now() - begin < pause;)
          ;
      }
  };
}

Job trafficTogether(const Buffer &buffer, unsigned written, unsigned pause) {
  return sweeps(buffer, trafficPass<streamsTogether>(written), pause, buffer.size(),
                streamsTogether);
}

/// Adds up what multiplying and adding `Rounds` times makes of each number of a line.
template <unsigned Rounds, std::size_t... Index>
static void computeOn(const Line &line, Doubles *sums, std::index_sequence<Index...>) {
  const Doubles values[] = {computed<Rounds>(line, Index)...};
  ((sums[Index] += values[Index]), ...);
}

template <unsigned Rounds, std::size_t Streams>
static void computeOn(Line *lines, std::size_t apart) {
  if constexpr (Rounds == 0)
    return sweep<0, Streams>(lines, apart);
  Doubles sums[vectors] = {};
  takeTurns<Streams>(lines, apart, [&](const Line &line, std::size_t) {
    computeOn<Rounds>(line, sums, std::make_index_sequence<vectors>());
  });
  static_assert(vectors == 4);
  asm volatile("" : : "x"(sums[0]), "x"(sums[1]), "x"(sums[2]), "x"(sums[3]) : "memory");
}

template <std::size_t Streams>
static Job computingOn(const Buffer &buffer, std::size_t step, std::size_t lines) {
  return [&]<std::size_t... Step>(std::index_sequence<Step...>) {
    constexpr Pass passes[] = {computeOn<computingRounds[Step], Streams>...};
    return sweeps(buffer, passes[step], 0, lines, Streams);
  }(std::make_index_sequence<std::size(computingRounds)>());
}

Job computing(const Buffer &buffer, std::size_t step, std::size_t lines) {
  return computingOn<1>(buffer, step, lines);
}

Job computingTogether(const Buffer &buffer, std::size_t step, std::size_t lines) {
  return computingOn<streamsTogether>(buffer, step, lines);
}

Job accesses(const Buffer &buffer) {
  return [&buffer](Meter &meter) {
    constexpr std::size_t bytes = 8192, unrolled = 8; // half of the smallest first cache
    auto *to = reinterpret_cast<Vector *>(buffer.begin());
    const Vector *from = to + bytes / sizeof(Vector);
    for (; meter.goOn(); meter.add(3 * bytes / sizeof(Vector))) {
      for (std::size_t i = 0; i < bytes / sizeof(Vector); i += unrolled)
        for (std::size_t j = 0; j < unrolled; ++j)
          to[i + j] += from[i + j];
      keep(to);
    }
  };
}

Job additions() {
  return [](Meter &meter) {
    constexpr int unrolled = 256;
    double sum = 0, one = 1;
    for (; meter.goOn(); meter.add(unrolled)) {
      asm volatile("" : "+x"(one));
      for (int i = 0; i < unrolled; ++i)
        sum += one;
      asm volatile("" : "+x"(sum));
    }
  };
}

} // namespace memory_figures
