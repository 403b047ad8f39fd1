//===- emulatorPrograms.cpp - Random program trees of any shape -----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorPrograms.h"

#include "emulatorTrees.h"

#include <cmath>
#include <cstdlib>

namespace prophet::test {

namespace {

class Drawer {
public:
  Drawer(std::mt19937_64 &random, const Shape &shape) : random(random), shape(shape) {}

  Program draw() {
    depth = shape.nested && below(4) ? 1 + below(3) : 0;
    locks = shape.locks && below(3) ? 1 + below(3) : 0;
    options.threads = below(16) ? 2 + below(below(8) ? 5 : 24) : 1;
    unsigned &levels = options.maxActiveLevels;
    while (std::pow(options.threads, levels + 1) <= 130 && levels <= depth && below(6))
      ++levels;
    sparse = !shape.ties || (levels > 1 && below(16)) || below(2);
    lengths = sparse ? 1 << 24 : 7;
    gap = below(2) ? 1000 : 20;
    make.tree.timebaseHz = gap * 1e6;
    drawOptions();
    for (std::uint64_t i = 0, count = 1 + below(5); i < count; ++i)
      drawSite();
    const NodeId root = node(sequence(30 + below(1500), depth + 1, false));
    make.root(childrenOf(root));
    return {make.tree, options};
  }

private:
  struct Made {
    NodeId node;
    unsigned pieces, depth;
  };

  std::mt19937_64 &random;
  const Shape &shape;
  TreeMaker make;
  EmulationOptions options;
  unsigned depth = 0;  ///< of sections inside sections
  bool sparse = false; ///< no two lengths are equal, but of nodes that are used twice
  std::uint32_t locks = 0;
  std::uint64_t lengths = 1, gap = 1;
  std::vector<Made> tasks; ///< to be used again

  /// Uniform in [0, bound); the standard distributions differ between libraries.
  std::uint32_t below(std::uint64_t bound) { return static_cast<std::uint32_t>(random() % bound); }
  /// Where there are locks, two requests of one thread are never at one moment.
  double length() { return below(lengths) + (sparse || locks ? 1.0 : 0.0); }
  /// Whether something is executed again.
  bool again() { return below(sparse && options.maxActiveLevels > 1 ? 80 : 3) == 0; }

  Schedule schedule() {
    const std::uint64_t chunk = 1 + below(below(3) ? 2 : 7);
    switch (below(7)) {
    case 0:
      return {};
    case 1:
      return {Schedule::Kind::StaticChunk, chunk};
    case 2:
      return {Schedule::Kind::Dynamic, chunk, true};
    case 3:
      return {Schedule::Kind::Guided, chunk};
    case 4:
      return {Schedule::Kind::Auto};
    default:
      return {Schedule::Kind::Dynamic, chunk};
    }
  }

  void drawOptions() {
    options.runtime = below(3) ? OmpRuntime::Libomp : OmpRuntime::Libgomp;
    options.schedule = schedule();
    if (shape.tasks) {
      options.paradigm = static_cast<Paradigm>(below(4));
      options.seed = below(1000);
    }
    const auto most = static_cast<unsigned>(
        std::pow(options.threads, std::min(depth + 1, options.maxActiveLevels)));
    options.cores = shape.cores && below(3) ? 1 + below(below(3) ? options.threads : most) : most;
  }

  void drawSite() {
    const bool tasks = shape.tasks && below(2);
    const SiteKind kind = tasks      ? SiteKind::Tasks
                          : below(5) ? SiteKind::ParallelFor
                                     : SiteKind::Sections;
    const std::uint32_t site = make.site(kind, !tasks && shape.nowait && below(5) < 2);
    if (!shape.settings)
      return;
    if (site == 0 && below(3) == 0)
      options.sites.emplace_back();
    else if (site > 0 && !options.sites.empty())
      options.sites.emplace_back();
    if (!options.sites.empty())
      options.sites.back() = {schedule(), below(3) ? 0 : below(options.threads + 2)};
    if (below(40) == 0)
      (below(2) ? options.onlySite : options.exceptSite) = site;
  }

  /// A task node stands in for the root, whose children are of the same kinds.
  NodeId node(const std::vector<Child> &children) { return make.task(children); }
  std::vector<Child> childrenOf(NodeId id) const {
    const auto children = make.tree.childrenOf(id);
    return {children.begin(), children.end()};
  }

  /// What a task or the program executes, of about `pieces` pieces.
  std::vector<Child> sequence(unsigned pieces, unsigned sections, bool mayLock) {
    std::vector<Child> children;
    const auto computation = [&](double ticks) {
      children.push_back({make.u(ticks), 1 + below(5) / 4});
    };
    for (unsigned part = 0, parts = 1 + below(3); part < parts; ++part) {
      if (below(8) || (locks && part == 0))
        computation(length());
      if (mayLock && locks && below(2))
        children.push_back({lock(below(locks)), 1 + below(5) / 4});
      const bool isRoot = !mayLock;
      if (sections == 0 || pieces < 4 || (!isRoot && below(3) == 0))
        continue;
      for (unsigned group = 0, count = 1 + below(3); group < count; ++group) {
        if (below(2) && group > 0) // in a nowait's reach, at its end, or beyond
          computation(static_cast<double>(below(3) ? below(gap + 1) : gap + below(2)));
        const unsigned times = 1 + (again() ? below(3) : 0);
        children.push_back({section(pieces / (parts * count * times), sections - 1), times});
      }
    }
    return children;
  }

  /// An L node, perhaps with locks of higher numbers inside, so that nothing deadlocks.
  NodeId lock(std::uint32_t name) {
    if (below(4) != 0)
      return make.l(name, length());
    std::vector<Child> inside{{make.u(length()), 1}};
    if (name + 1 < locks) {
      inside.push_back({lock(name + 1 + below(locks - name - 1)), 1 + below(2)});
      inside.push_back({make.u(length()), 1});
    }
    return make.l(name, inside);
  }

  NodeId section(unsigned pieces, unsigned inner) {
    const std::uint32_t site = below(make.tree.sites.size());
    std::vector<Child> children;
    unsigned left = locks || below(16) ? pieces : 0; // an empty loop now and then
    const unsigned each = inner > 0 ? 1 + pieces / (1 + below(5)) : 3;
    while (left > 0 && children.size() < 40) {
      const Made task = taskOf(std::min(each, left), inner);
      const unsigned most = std::max(1u, left / std::max(1u, task.pieces));
      const std::uint64_t times = 1 + (again() ? below(std::min(most, 30u)) : 0);
      children.push_back({task.node, times});
      left -= std::min<std::uint64_t>(left, task.pieces * times);
      if (make.tree.sites[site].kind != SiteKind::Tasks || below(3))
        continue;
      const std::vector<Child> own = sequence(std::min(left, 12u), inner, true); // the spawner's
      children.insert(children.end(), own.begin(), own.end());
    }
    return make.section(site, children);
  }

  Made taskOf(unsigned pieces, unsigned inner) {
    if (!tasks.empty() && again()) {
      const Made used = tasks[below(tasks.size())];
      if (used.pieces <= pieces && used.depth <= inner)
        return used;
    }
    tasks.push_back({make.task(sequence(pieces, inner, true)), pieces, inner});
    return tasks.back();
  }
};

std::uint64_t fromEnvironment(const char *name, std::uint64_t usual) {
  const char *given = std::getenv(name);
  return given ? std::strtoull(given, nullptr, 10) : usual;
}

} // namespace

Program drawProgram(std::mt19937_64 &random, const Shape &shape) {
  return Drawer(random, shape).draw();
}

std::uint64_t programsToDraw(std::uint64_t usual) {
#if defined(__SANITIZE_ADDRESS__)
  constexpr bool isSlow = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
  constexpr bool isSlow = true;
#else
  constexpr bool isSlow = false;
#endif
#else
  constexpr bool isSlow = false;
#endif
  return fromEnvironment("PROPHET_TEST_PROGRAMS", isSlow ? usual / 10 : usual);
}

std::uint64_t seedOfPrograms(std::uint64_t usual) {
  return fromEnvironment("PROPHET_TEST_SEED", usual);
}

} // namespace prophet::test
