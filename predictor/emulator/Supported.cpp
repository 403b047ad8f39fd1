//===- Supported.cpp - What the emulator refuses --------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Emulator.h"
#include "predictor/support/Text.h"

#include <algorithm>

namespace prophet {

namespace {

std::optional<Error> checkOptions(const Tree &tree, const EmulationOptions &options) {
  if (options.threads < 1 || options.threads > MaxThreads)
    return Error{"cannot emulate " + std::to_string(options.threads) + " threads; ask for 1 to " +
                 std::to_string(MaxThreads)};
  if (options.maxActiveLevels < 1)
    return Error{"no active level means no parallelism; ask for --max-active-levels 1 or more"};
  const auto chunkless = [](const Schedule &schedule) {
    const bool takesNone =
        schedule.kind == Schedule::Kind::Static || schedule.kind == Schedule::Kind::Auto;
    return !takesNone && schedule.chunk < 1;
  };
  const auto &own = options.sites;
  if (chunkless(options.schedule) ||
      std::any_of(own.begin(), own.end(), [&](auto &site) { return chunkless(site.schedule); }))
    return Error{"a chunk holds at least one iteration; write for example dynamic,1"};
  if (options.onlySite && *options.onlySite >= tree.sites.size())
    return Error{"there is no site " + std::to_string(*options.onlySite) +
                 "; 'prophet tree' lists the sites"};
  return std::nullopt;
}

/// The locks that are taken while another is held, by lock.
class LockOrder {
public:
  explicit LockOrder(const Tree &tree) : tree(tree), inner(tree.locks.size()) {
    for (const Node &node : tree.nodes)
      if (node.kind == NodeKind::L)
        for (const Child &child : childrenOf(node))
          if (tree.nodes[child.node].kind == NodeKind::L)
            inner[node.ref].push_back(tree.nodes[child.node].ref);
  }

  /// A lock that can be waited for by whoever holds it, directly or round a circle.
  std::optional<std::uint32_t> findCircle() {
    // What is left after taking away, again and again, the locks inside which no other is taken.
    std::vector<std::size_t> open(inner.size());
    std::vector<std::vector<std::uint32_t>> outer(inner.size());
    std::vector<std::uint32_t> ready;
    for (std::uint32_t lock = 0; lock < inner.size(); ++lock) {
      open[lock] = inner[lock].size();
      for (std::uint32_t below : inner[lock])
        outer[below].push_back(lock);
      if (open[lock] == 0)
        ready.push_back(lock);
    }
    while (!ready.empty()) {
      const std::uint32_t lock = ready.back();
      ready.pop_back();
      for (std::uint32_t above : outer[lock])
        if (--open[above] == 0)
          ready.push_back(above);
    }
    for (std::uint32_t lock = 0; lock < open.size(); ++lock)
      if (open[lock] > 0)
        return lock;
    return std::nullopt;
  }

private:
  const Tree &tree;
  std::vector<std::vector<std::uint32_t>> inner;

  std::span<const Child> childrenOf(const Node &node) const {
    return {tree.children.data() + node.firstChild, static_cast<std::size_t>(node.childCount)};
  }
};

} // namespace

std::optional<Error> unsupported(const Tree &tree, const EmulationOptions &options) {
  if (auto error = checkOptions(tree, options))
    return error;
  if (const auto lock = LockOrder(tree).findCircle())
    return Error{"lock '" + tree.locks[*lock] + "' is taken while it is held, or while a lock " +
                 "is held that is elsewhere taken inside it: threads would deadlock; take " +
                 "nested locks in one order"};
  return std::nullopt;
}

} // namespace prophet
