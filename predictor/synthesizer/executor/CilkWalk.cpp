//===- CilkWalk.cpp - A tree run by OpenCilk ------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/CilkWalk.h"

#include <cilk/cilk.h>

namespace synthesizer {

void CilkWalk::spawn(const Node &section, Sharing sharing, double factor) {
  if (sharing == Sharing::Taskloop)
    return loop(section, factor);
  for (const Child &child : section.children) {
    const Node &node = plan.nodes[child.node];
    for (std::int64_t i = 0; i < child.number; ++i)
      if (node.kind == Kind::Task)
        cilk_spawn visit(node, factor);
      else
        visit(node, factor);
  }
  cilk_sync;
}

void CilkWalk::loop(const Node &section, double factor) {
  const int count = section.iterations;
  cilk_for (int number = 0; number < count; ++number)
    iterate(section, number, factor);
}

} // namespace synthesizer
