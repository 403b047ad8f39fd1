//===- main.cpp - What a release of the emulator is compiled for ----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emulates programs of all kinds, about as long each. cmake/ProfileGuided.cmake has
// it run while a release is built, and the compiler counts what it does.
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Emulator.h"

#include <cmath>
#include <cstdio>
#include <random>

using namespace prophet;

namespace {

/// Builds a tree bottom-up, of lengths from a third to three times of what is typical.
class Program {
public:
  explicit Program(std::uint32_t locks) {
    while (tree.locks.size() < locks)
      tree.locks.emplace_back();
  }

  NodeId computes(double typical) { return add({NodeKind::U, 0, length(typical)}, {}); }
  NodeId locked(double typical) {
    const auto lock = static_cast<std::uint32_t>(random() % tree.locks.size());
    return add({NodeKind::L, lock, length(typical)}, {});
  }
  NodeId task(const std::vector<Child> &parts) { return add({NodeKind::Task}, parts); }
  NodeId section(std::uint32_t site, const std::vector<Child> &tasks) {
    return add({NodeKind::Section, site}, tasks);
  }
  std::uint32_t site(SiteKind kind = SiteKind::ParallelFor, bool nowait = false) {
    Site &site = tree.sites.emplace_back();
    site.kind = kind;
    site.nowait = nowait;
    return static_cast<std::uint32_t>(tree.sites.size() - 1);
  }
  Tree end(const std::vector<Child> &sections) {
    tree.root = add({NodeKind::Root}, sections);
    return std::move(tree);
  }

private:
  Tree tree;
  std::mt19937_64 random{20};

  double length(double typical) {
    const auto share = static_cast<double>(random() % 1024) / 512 - 1;
    return std::round(typical * std::exp(share));
  }
  NodeId add(Node node, const std::vector<Child> &children) {
    node.firstChild = tree.children.size();
    node.childCount = children.size();
    tree.children.insert(tree.children.end(), children.begin(), children.end());
    tree.nodes.push_back(node);
    return static_cast<NodeId>(tree.nodes.size() - 1);
  }
};

/// Iterations of which none is like another, or one in so many is repeated that often.
std::vector<Child> iterations(Program &program, int count, double lockedNs, std::uint64_t runs) {
  std::vector<Child> tasks;
  for (int i = 0; i < count; ++i) {
    std::vector<Child> parts{{program.computes(20'000), 1}};
    if (lockedNs > 0)
      parts.push_back({program.locked(lockedNs), 1});
    tasks.push_back({program.task(parts), i % 8 == 0 ? runs : 1});
  }
  return tasks;
}

Tree loop(int count, double lockedNs = 0, std::uint32_t locks = 1, std::uint64_t runs = 1) {
  Program program(locks);
  const std::uint32_t site = program.site();
  const auto tasks = iterations(program, count, lockedNs, runs);
  return program.end({{program.section(site, tasks), 1}});
}

/// Two loops of one region, of which the first has `nowait`.
Tree twoLoops(int count, double lockedNs) {
  Program program(2);
  const std::uint32_t first = program.site(SiteKind::ParallelFor, true), second = program.site();
  const auto some = iterations(program, count, lockedNs, 1);
  const auto more = iterations(program, count, 0, 1);
  const NodeId early = program.section(first, some), late = program.section(second, more);
  return program.end({{early, 1}, {late, 1}});
}

/// Iterations around loops.
Tree nest(int outer, int inner, double lockedNs) {
  Program program(2);
  const std::uint32_t outside = program.site(), inside = program.site();
  std::vector<Child> tasks;
  for (int i = 0; i < outer; ++i) {
    const NodeId section = program.section(inside, iterations(program, inner, lockedNs, 1));
    tasks.push_back({program.task({{program.computes(5000), 1}, {section, 1}}), 1});
  }
  return program.end({{program.section(outside, tasks), 1}});
}

/// Calls that work, perhaps hold a lock, and spawn two or three on parts of what is left.
Tree calls(int count, double lockedNs) {
  Program program(3);
  const std::uint32_t site = program.site(SiteKind::Tasks);
  const auto call = [&](auto &self, int below) -> NodeId {
    std::vector<Child> parts{{program.computes(4000), 1}};
    if (lockedNs > 0)
      parts.push_back({program.locked(lockedNs), 1});
    const int spawned = below < 3 ? below : below % 5 == 0 ? 3 : 2;
    std::vector<Child> tasks;
    for (int i = 0; i < spawned; ++i)
      tasks.push_back({self(self, (below - spawned + i) / spawned), 1});
    if (!tasks.empty())
      parts.push_back({program.section(site, tasks), 1});
    return program.task(parts);
  };
  const NodeId top = call(call, count);
  return program.end({{program.section(site, {{top, 1}}), 1}});
}

EmulationOptions on(unsigned threads, OmpRuntime runtime = OmpRuntime::Libomp) {
  EmulationOptions options;
  options.threads = threads;
  options.runtime = runtime;
  options.overheads = Overheads::typical(runtime);
  return options;
}

double sum = 0; ///< of all that was emulated: a program without a result could be left out

void emulate(const Emulator &emulator, const EmulationOptions &options) {
  sum += emulator.run(options).speedup;
}

/// Under all schedules, and both runtimes.
void share(const Tree &tree, unsigned threads, unsigned cores = 0, unsigned levels = 1) {
  using Kind = Schedule::Kind;
  const Emulator emulator(tree);
  for (const OmpRuntime runtime : {OmpRuntime::Libomp, OmpRuntime::Libgomp})
    for (const Schedule &schedule : {Schedule{Kind::Static, 0}, Schedule{Kind::StaticChunk, 1},
                                     Schedule{Kind::Dynamic, 1}, Schedule{Kind::Guided, 1}}) {
      EmulationOptions options = on(threads, runtime);
      options.schedule = schedule;
      options.cores = cores;
      options.maxActiveLevels = levels;
      emulate(emulator, options);
    }
}

void loops() {
  const Tree flat = loop(60'000);
  for (const unsigned threads : {2u, 3u, 4u, 6u, 8u, 16u, 24u, 32u}) // most programs', and fast
    share(flat, threads);
  share(loop(2000, 0, 1, 1'000'000), 20);
  for (const unsigned threads : {7u, 20u}) {
    share(loop(9000, 300), threads);
    share(loop(9000, 8000, 2), threads);
  }
  share(loop(6000, 1000, 20), 16);
  share(twoLoops(3000, 500), 10);
}

void fewCores() {
  share(loop(5000, 300), 30, 8);
  share(loop(5000, 6000, 3), 18, 6);
  share(twoLoops(2000, 500), 10, 4);
  const Tree tree = loop(8000, 200);
  const Emulator emulator(tree);
  EmulationOptions options = on(40);
  options.cores = 9;
  options.schedule = {Schedule::Kind::StaticChunk, 2};
  options.useBurden = true;
  options.burdens = options.whileComputing = {{{1, 1}, {9, 1.5}}};
  emulate(emulator, options);
  options.waitPolicy = WaitPolicy::Passive;
  emulate(emulator, options);
}

void nests() {
  for (const unsigned cores : {6u, 36u}) {
    share(nest(60, 300, 0), 6, cores, 2);
    share(nest(40, 60, 400), 6, cores, 2);
  }
  share(nest(100, 100, 200), 9);
}

void tasks() {
  for (const double lockedNs : {0.0, 200.0}) {
    const Tree tree = calls(15'000, lockedNs), divided = loop(2000, lockedNs);
    for (const Tree *program : {&tree, &divided}) {
      const Emulator emulator(*program);
      for (const Paradigm paradigm : {Paradigm::OpenMP, Paradigm::Tbb, Paradigm::Cilk}) {
        EmulationOptions options = on(11);
        options.paradigm = paradigm;
        emulate(emulator, options);
      }
      emulate(emulator, on(11, OmpRuntime::Libgomp));
    }
  }
}

} // namespace

int main() {
  loops();
  fewCores();
  nests();
  tasks();
  std::printf("%.17g\n", sum);
}
