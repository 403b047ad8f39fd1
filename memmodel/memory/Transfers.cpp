//===- Transfers.cpp - Lines that move between cores ----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/memory/Transfers.h"

#include "memmodel/memory/Lines.h"

#include <array>
#include <atomic>

namespace memory_figures {

namespace {

/// Hands one line to and fro with the other side (0 or 1). \param line shared by the two.
Job handOver(std::atomic<std::uint64_t> &line, unsigned side) {
  return [&line, side](Meter &meter) {
    while (meter.goOn()) {
      const std::uint64_t value = line.load(std::memory_order_acquire);
      if (value % 2 != side)
        continue;
      line.store(value + 1, std::memory_order_release);
      meter.add(1);
    }
  };
}

/// Changes a line, to what computing on it makes.
template <unsigned Rounds> void changeBy(Line &line) {
  auto *to = reinterpret_cast<Vector *>(&line);
  [&]<std::size_t... Index>(std::index_sequence<Index...>) { // unrolled by all compilers
    const Doubles values[] = {computed<Rounds>(line, Index)...};
    ((to[Index] = reinterpret_cast<Vector>(values[Index])), ...);
  }(std::make_index_sequence<vectors>());
}

constexpr std::size_t pageLines = 4096 / sizeof(Line); // behind which prefetchers stop

/// Changes every `step`-th page from number `first` to before `end`. \returns how many lines
template <unsigned Rounds>
std::size_t changePages(const Buffer &buffer, std::size_t first, std::size_t end,
                        std::size_t step) {
  std::size_t changed = 0;
  for (std::size_t page = first; page < end; page += step) {
    for (std::size_t i = page * pageLines; i < (page + 1) * pageLines; ++i)
      changeBy<Rounds>(buffer.begin()[i]);
    changed += pageLines;
  }
  keep(buffer.begin());
  return changed;
}

/// Changes one half of the pages again and again, and the other side (0 or 1) the other one.
template <unsigned Rounds> Job changeAgain(const Buffer &buffer, unsigned side) {
  return [&buffer, side, half = buffer.size() / pageLines / 2](Meter &meter) {
    while (meter.goOn())
      meter.add(changePages<Rounds>(buffer, side * half, (side + 1) * half, 1));
  };
}

/// How often both sides have been through.
using Passes = std::array<std::atomic<std::uint64_t>, 2>;

/// Changes every other page of the buffer, and the pages between once the other side (0 or 1),
/// which changes those, is through as well.
template <unsigned Rounds> Job exchange(const Buffer &buffer, Passes &passes, unsigned side) {
  return [&buffer, &passes, side, pages = buffer.size() / pageLines](Meter &meter) {
    for (std::uint64_t pass = passes[0]; meter.goOn(); ++pass) {
      meter.add(changePages<Rounds>(buffer, (pass + side) % 2, pages, 2));
      passes[side].store(pass + 1, std::memory_order_release);
      while (passes[1 - side].load(std::memory_order_acquire) <= pass && meter.goOn())
        ;
    }
  };
}

template <unsigned Rounds>
void measureExchange(Crew &crew, const Buffer &buffer, Figures &figures) {
  static Passes passes;
  passes[0] = passes[1] = 0;
  // Both compute at the same time in either way: a hypervisor may run two processors on one core.
  const auto nsOf = [&](const std::vector<Job> &jobs) {
    const std::vector<double> rates = crew.rates(jobs, 2 * windowMs);
    return 2 / (rates[0] + rates[1]);
  };
  figures["exchange.other"][Rounds + 1] =
      nsOf({exchange<Rounds>(buffer, passes, 0), exchange<Rounds>(buffer, passes, 1)});
  figures["exchange.own"][Rounds + 1] =
      nsOf({changeAgain<Rounds>(buffer, 0), changeAgain<Rounds>(buffer, 1)});
}

} // namespace

void measureTransfers(Crew &crew, const Buffer &buffer, Figures &figures) {
  alignas(128) static std::atomic<std::uint64_t> line{0};
  const auto rates = crew.rates({handOver(line, 0), handOver(line, 1)}, 5 * windowMs);
  figures["transfer"][2] = 1 / (rates[0] + rates[1]);
  // With more computing the threads wait for each other longer than for lines.
  [&]<unsigned... Rounds>(std::integer_sequence<unsigned, Rounds...>) {
    (measureExchange<Rounds>(crew, buffer, figures), ...);
  }(std::integer_sequence<unsigned, 0, 1, 2, 4>());
}

} // namespace memory_figures
