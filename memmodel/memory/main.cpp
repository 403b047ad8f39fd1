//===- main.cpp - One window of measuring the memory system ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   memory-figures latency LEAST MOST LLC SAID CPUS PARENT   ns by KiB
//   memory-figures reach SHARERS MOST LLC SAID CPUS PARENT   GB/s of one, and of all sharers, by
//                                                            KiB, with pauses of so many ns a line
//   memory-figures classes NEAR BOTH LLC SAID CPUS PARENT    GB/s of one thread; accesses a ns;
//                                                            ns an addition that waits for another;
//                                                            ns of an end, of two threads' streams;
//                                                            ns a line by what is computed, from 1
//   memory-figures load WRITTEN SHARERS LLC SAID CPUS PARENT GB/s and ns by pause, from 1
//   memory-figures transfer OWN 0 LLC SAID CPUS PARENT       ns; and a line, by what is computed,
//                                                            from 1, and by runs' lines; ns of
//                                                            an end, of streams that are
//                                                            written there
//
// Measures a group of figures once and prints one JSON object, as openmp-overheads
// does, with what else ran meanwhile. LLC, what works of the last-level cache for one thread, is in
// bytes as SAID, what the system says of it, LEAST, MOST, NEAR, which lies in it, BOTH, which does
// and is enough for two threads, and OWN, which lies in a core's own, are; SHARERS is how many
// cores have one; CPUS are the cores' numbers, with commas; WRITTEN are of three lines that are
// touched. It ends with process PARENT.
//
//===----------------------------------------------------------------------===//

#include "memmodel/memory/Kernels.h"
#include "memmodel/memory/Phases.h"
#include "memmodel/memory/Runs.h"
#include "memmodel/memory/Sizes.h"
#include "memmodel/memory/Transfers.h"
#include "memmodel/openmp/Guard.h"
#include "memmodel/openmp/Handover.h"
#include "memmodel/openmp/Process.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <ranges>
#include <set>
#include <sstream>
#include <string>

using namespace memory_figures;

namespace {

/// Steps that a generator computes after each chunk; from little traffic to all it can.
constexpr unsigned pauses[] = {3000, 1200, 600, 300, 150, 75, 30, 0};

struct Request {
  std::string group;
  std::size_t first, second, cache, saidCache;
  std::vector<int> cpus;
};

/// Links `lines` of a buffer where the first thread's core is.
void linkThere(Crew &crew, Buffer &buffer, std::size_t lines) {
  crew.each([&](std::size_t i) {
    if (i == 0)
      buffer.link(lines);
  });
}

/// Links a buffer for each thread where its core is. Its pages are there then: a hypervisor may
/// take as long as a window to find one.
void linkAll(Crew &crew, std::vector<Buffer> &buffers) {
  crew.each([&](std::size_t i) { buffers[i].link(buffers[i].size()); });
}

/// Sees to it that nothing else goes on while figures are measured.
class Witness {
public:
  explicit Witness(Crew &crew) : crew(crew), before(pace()), handedBefore(handover()) {}

  /// Adds what went on since it was called in.
  void testify(Figures &figures) const {
    figures["foreign_cores"][0] = guard.foreignCores();
    figures["waited_share"][0] = guard.waitedShare();
    figures["pace"][0] = std::min(before, pace());
    figures["handover"][0] = std::sqrt(handedBefore * handover());
  }

private:
  Crew &crew;
  const double before, handedBefore;
  const openmp_overheads::Guard guard; // from here on

  /// What the slowest core computes in a nanosecond, all at once: much less where a hypervisor
  /// runs two of them on one.
  double pace() const {
    std::vector<Buffer> buffers;
    std::vector<Job> jobs;
    for (std::size_t i = 0; i < crew.size(); ++i)
      buffers.emplace_back(16 << 10);
    linkAll(crew, buffers);
    for (const Buffer &buffer : buffers)
      jobs.push_back(accesses(buffer));
    return std::ranges::min(crew.paces(jobs, windowMs / 2).rates);
  }

  /// ns that a line takes between the first core and another, the mean of several others; 0 where
  /// there are none.
  double handover() const {
    const std::size_t partners =
        std::min<std::size_t>(crew.size() - 1, openmp_overheads::mostPartners);
    double sum = 0;
    for (std::size_t partner = 1; partner <= partners; ++partner) {
      openmp_overheads::Baton baton;
      crew.each([&](std::size_t i) {
        if (i == 0)
          sum += openmp_overheads::handOver(baton, 0);
        else if (i == partner)
          openmp_overheads::handOver(baton, 1);
      });
    }
    return partners > 0 ? sum / static_cast<double>(partners) : 0;
  }
};

/// Those of `least` to `most` bytes that are powers of two, or half as much again.
std::vector<std::size_t> sizesUp(std::size_t least, std::size_t most) {
  std::vector<std::size_t> sizes;
  for (std::size_t size = 16 << 10; size <= most; size *= 2)
    for (const std::size_t bytes : {size, size + size / 2})
      if (bytes >= least && bytes <= most)
        sizes.push_back(bytes);
  return sizes;
}

void measureLatency(Crew &crew, const Request &request, Figures &figures) {
  Buffer circle(request.second, Pages::Huge);
  const Witness witness(crew);
  for (const std::size_t bytes : sizesUp(request.first, request.second)) {
    linkThere(crew, circle, bytes / sizeof(Line));
    figures["latency"][bytes >> 10] = 1 / crew.rates({chase(circle)}, windowMs)[0];
  }
  witness.testify(figures);
}

/// A buffer for each of so many threads, of `bytes` in all, whose pages are there.
std::vector<Buffer> partsOf(Crew &crew, std::size_t threads, std::size_t bytes) {
  std::vector<Buffer> parts;
  for (std::size_t i = 0; i < threads; ++i)
    parts.emplace_back(bytes / threads);
  crew.each([&](std::size_t i) {
    if (i < threads)
      parts[i].touch();
  });
  return parts;
}

/// Passes over parts of buffers, one for each thread, with pauses of so many ns a line.
class Passes {
public:
  Passes(Crew &crew, const std::vector<Buffer> &parts, double pauseNs)
      : crew(crew), parts(parts), pauseNs(pauseNs) {}

  /// GB/s of all threads, pauses included, through so many bytes in all, once these have all been
  /// read.
  double gbs(std::size_t bytes) {
    constexpr double before = 3, measured = 1; // passes
    const std::size_t lines = bytes / parts.size() / sizeof(Line);
    std::vector<Job> jobs;
    for (const Buffer &part : parts)
      jobs.push_back(paced(part, pauseNs, lines));
    const double passMs = static_cast<double>(lines) * (pauseNs + slowestNs) / 1e6;
    const std::vector<double> rates =
        crew.paces(jobs, std::max(windowMs, measured * passMs), before * passMs).rates;
    slowestNs = std::clamp(1 / std::ranges::min(rates) - pauseNs, slowestNs, mostNs);
    return lineBytes * std::accumulate(rates.begin(), rates.end(), 0.0);
  }

  /// What a line takes beside pauses where all together get so many GB/s.
  double netNs(double gbs) const {
    return lineBytes * static_cast<double>(parts.size()) / gbs - pauseNs;
  }

private:
  static constexpr double mostNs = 64; ///< a line, of a thread that gets 1 GB/s
  Crew &crew;
  const std::vector<Buffer> &parts;
  const double pauseNs;
  double slowestNs = 1; ///< a line, that was seen
};

/// From the least bytes up to where all comes from memory, so that they are in the cache until they
/// are too many; then down to where all comes from the cache, so that it has come to be there. In
/// time both come to the same, which is between; that takes up to a hundred passes.
void measureEnd(Passes passes, double farNs, const std::vector<std::size_t> &sizes,
                const std::string &name, Figures &figures) {
  constexpr double alike = 0.95;
  double nearNs = farNs;
  auto end = sizes.begin();
  for (int far = 0; end != sizes.end() && far < 2; ++end) { // one may be a hypervisor's halt
    const double gbs = figures[name + ".up"][*end >> 10] = passes.gbs(*end);
    nearNs = std::min(nearNs, passes.netNs(gbs));
    far = passes.netNs(gbs) > alike * farNs ? far + 1 : 0;
  }
  while (end != sizes.begin()) {
    --end;
    const double gbs = figures[name + ".down"][*end >> 10] = passes.gbs(*end);
    if (alike * passes.netNs(gbs) < nearNs)
      break;
  }
}

void measureReach(Crew &crew, const Request &request, Figures &figures) {
  constexpr double pausesNs[] = {0, 5, 15}; // of one thread; several make none
  const std::size_t sharers = std::clamp<std::size_t>(request.first, 1, crew.size());
  const std::vector<std::size_t> sizes = sizesUp(request.second / 64, request.second);
  std::map<std::size_t, std::vector<Buffer>> byThreads;
  for (const std::size_t threads : std::set{std::size_t(1), sharers})
    byThreads.emplace(threads, partsOf(crew, threads, request.second));
  const Witness witness(crew);
  for (const auto &[threads, parts] : byThreads) {
    Passes unpaced(crew, parts, 0);
    unpaced.gbs(request.second); // how long a pass takes
    const double farGbs = unpaced.gbs(request.second), farNs = unpaced.netNs(farGbs);
    figures["reach." + std::to_string(threads) + ".far"][request.second >> 10] = farGbs;
    for (const double pauseNs : pausesNs) {
      if (pauseNs > 0 && threads > 1)
        break;
      const std::string name =
          "reach." + std::to_string(threads) + "." + std::to_string(static_cast<unsigned>(pauseNs));
      measureEnd(Passes(crew, parts, pauseNs), farNs, sizes, name, figures);
    }
  }
  witness.testify(figures);
}

void measureClasses(Crew &crew, const Request &request, Figures &figures) {
  Buffer buffer(farBytes(request.cache, 1));
  linkThere(crew, buffer, buffer.size());
  Buffer small(16 << 10);
  linkThere(crew, small, small.size());
  const std::size_t near = std::max<std::size_t>(request.first / sizeof(Line), 1);
  const Witness witness(crew);
  const auto rate = [&](const Job &job) {
    return lineBytes * crew.rates({job}, 2 * windowMs)[0]; // bytes a nanosecond are GB/s
  };
  figures["class.stream"][1] = rate(traffic(buffer, 0, 0));
  measureRuns(crew, buffer, request.second / sizeof(Line), figures);
  const auto takes = [&](const Job &job, double ms) { return 1 / crew.rates({job}, ms)[0]; };
  for (std::size_t step = 0; step < std::size(computingRounds); ++step) {
    const unsigned key = computingRounds[step] + 1;
    figures["overlap.own"][key] = takes(computing(small, step, small.size()), windowMs / 2);
    figures["overlap.shared"][key] = takes(computing(buffer, step, near), windowMs);
    figures["overlap.memory"][key] = takes(computing(buffer, step, buffer.size()), 2 * windowMs);
    figures["together.own"][key] =
        takes(computingTogether(small, step, small.size()), windowMs / 2);
    figures["together.shared"][key] = takes(computingTogether(buffer, step, near), windowMs);
    figures["together.memory"][key] =
        takes(computingTogether(buffer, step, buffer.size()), 2 * windowMs);
  }
  figures["class.stride"][1] = rate(stride(buffer, 4));
  figures["sparse"][1] = rate(sparse(buffer, buffer.size()));
  figures["class.irregular"][1] = rate(irregular(buffer, buffer.size()));
  figures["class.chase"][1] = rate(chase(buffer));
  figures["shared"][1] = rate(irregular(buffer, near));
  if (crew.size() > 1) { // all of the same lines, to which nobody writes
    std::vector<Job> jobs;
    for (std::size_t i = 0; i < crew.size(); ++i)
      jobs.push_back(irregular(buffer, near, i + 1));
    const std::vector<double> rates = crew.rates(jobs, windowMs);
    figures["shared"][crew.size()] = lineBytes * std::accumulate(rates.begin(), rates.end(), 0.0);
  }
  figures["addition"][1] = 1 / crew.rates({additions()}, windowMs)[0];
  figures["accesses"][1] = crew.rates({accesses(small)}, windowMs)[0];
  witness.testify(figures);
}

/// A curve: the first thread follows a circle, the others make traffic. And the traffic alone, of
/// one, all but one, and all threads.
void measureLoad(Crew &crew, const Request &request, Figures &figures) {
  const auto written = static_cast<unsigned>(request.first);
  const std::size_t sharers = std::clamp<std::size_t>(request.second, 1, crew.size());
  std::vector<Buffer> buffers;
  for (std::size_t i = 0; i < crew.size(); ++i) {
    const std::size_t here = std::min(sharers, crew.size() - i / sharers * sharers);
    buffers.emplace_back(i == 0 ? farBytes(request.cache, 1)
                                : farOfAll(request.cache, request.saidCache, here,
                                           crew.size())); // the last group may be small
  }
  crew.each([&](std::size_t i) {
    if (i == 0)
      buffers[i].link(buffers[i].size());
    else
      buffers[i].touch();
  });
  const double bytes = lineBytes * (1 + written / 3.0);
  const std::string prefix = "load." + std::to_string(written) + ".";
  const Witness witness(crew);
  for (std::size_t p = 0; p < std::size(pauses) && crew.size() > 1; ++p) {
    std::vector<Job> jobs = {chase(buffers[0])};
    for (std::size_t i = 1; i < crew.size(); ++i)
      jobs.push_back(trafficTogether(buffers[i], written, pauses[p]));
    const std::vector<double> rates = crew.rates(jobs, windowMs);
    double gbs = lineBytes * rates[0];
    for (std::size_t i = 1; i < rates.size(); ++i)
      gbs += bytes * rates[i];
    figures[prefix + "gbs"][p + 1] = gbs;
    figures[prefix + "ns"][p + 1] = 1 / rates[0];
  }
  for (const std::size_t threads : {std::size_t(1), crew.size() - 1, crew.size()}) {
    std::vector<Job> jobs;
    for (std::size_t i = 0; i < threads; ++i)
      jobs.push_back(trafficTogether(buffers[i], written, 0));
    if (jobs.empty())
      continue;
    double gbs = 0;
    for (double rate : crew.rates(jobs, windowMs))
      gbs += bytes * rate;
    figures[prefix + "traffic"][threads] = gbs;
  }
  witness.testify(figures);
}

void measureTransfer(Crew &crew, const Request &request, Figures &figures) {
  Buffer buffer(std::max(request.first, sizeof(Line)));
  linkThere(crew, buffer, buffer.size());
  const Witness witness(crew);
  measureTransfers(crew, buffer, figures);
  measurePhases(crew, request.first, figures);
  measureOwnRuns(crew, buffer, figures);
  witness.testify(figures);
}

std::string render(Figures figures) {
  std::ostringstream text;
  text << "{\"runtime\": \"memory\"";
  for (const char *name : {"foreign_cores", "waited_share", "pace", "handover"}) {
    text << ", \"" << name << "\": " << figures[name][0];
    figures.erase(name);
  }
  text << ",\n \"figures\": {";
  for (const char *between = ""; const auto &[name, values] : figures) {
    text << between << "\n  \"" << name << "\": {";
    between = ",";
    for (const char *comma = ""; const auto &[key, value] : values) {
      text << comma << '"' << key << "\": " << value;
      comma = ", ";
    }
    text << '}';
  }
  text << "}}\n";
  return text.str();
}

std::vector<int> parseCpus(const char *text) {
  std::vector<int> cpus;
  std::istringstream list(text);
  for (std::string cpu; std::getline(list, cpu, ',');)
    cpus.push_back(std::atoi(cpu.c_str()));
  return cpus;
}

} // namespace

int main(int argc, char **argv) {
  using Measure = void (*)(Crew &, const Request &, Figures &);
  const std::map<std::string, Measure> groups = {{"latency", measureLatency},
                                                 {"reach", measureReach},
                                                 {"classes", measureClasses},
                                                 {"load", measureLoad},
                                                 {"transfer", measureTransfer}};
  if (argc != 8 || !groups.contains(argv[1])) {
    std::fprintf(stderr,
                 "usage: %s latency|reach|classes|load|transfer FIRST SECOND LLC SAID CPUS "
                 "PARENT\n",
                 argv[0]);
    return 2;
  }
  if (!openmp_overheads::endWith(std::atoi(argv[7])))
    return 2; // nobody waits for the result
  const Request request{argv[1],
                        std::strtoull(argv[2], nullptr, 10),
                        std::strtoull(argv[3], nullptr, 10),
                        std::strtoull(argv[4], nullptr, 10),
                        std::strtoull(argv[5], nullptr, 10),
                        parseCpus(argv[6])};
  if (request.cpus.size() < (request.group == "transfer" ? 2u : 1u) || request.cache == 0) {
    std::fprintf(stderr, "%s: needs a cache size and cores\n", argv[0]);
    return 2;
  }
  Crew crew(request.cpus);
  Figures figures;
  groups.at(request.group)(crew, request, figures);
  std::fputs(render(std::move(figures)).c_str(), stdout);
  return 0;
}
