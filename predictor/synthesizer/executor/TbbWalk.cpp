//===- TbbWalk.cpp - A tree run by oneTBB ---------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/TbbWalk.h"

#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

namespace synthesizer {

void TbbWalk::open(const Node &section, const SiteSettings &settings) {
  tbb::task_arena &arena = arenas.try_emplace(settings.threads, settings.threads).first->second;
  arena.execute([&] { spawn(section, settings.sharing, settings.factor); });
}

void TbbWalk::spawn(const Node &section, Sharing sharing, double factor) {
  if (sharing == Sharing::Taskloop)
    return tbb::parallel_for(0, section.iterations,
                             [&](int number) { iterate(section, number, factor); });
  tbb::task_group group;
  for (const Child &child : section.children) {
    const Node &node = plan.nodes[child.node];
    for (std::int64_t i = 0; i < child.number; ++i)
      if (node.kind == Kind::Task)
        group.run([this, &node, factor] { visit(node, factor); });
      else
        visit(node, factor);
  }
  group.wait();
}

} // namespace synthesizer
