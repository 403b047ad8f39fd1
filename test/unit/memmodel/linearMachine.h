//===- linearMachine.h - A memory whose latency is linear -------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/CurveModel.h"

namespace prophet::test {

/// Irregular lines from memory, and what is written back.
inline memmodel::Traffic irregular(double misses, double writeBacks = 0) {
  memmodel::Traffic traffic;
  traffic.misses[static_cast<std::size_t>(memmodel::AccessClass::Irregular)] = misses;
  traffic.writeBacks = writeBacks;
  return traffic;
}

/// L = idle + slope B up to `most`.
inline memmodel::MemorySystem linearMachine(double idle, double slope, double most) {
  memmodel::MemorySystem machine{
      memmodel::CurveFamily({{1, {{0, idle}, {most, idle + slope * most}}}})};
  machine.classGbs = {12, 6, 4, 64 / idle};
  return machine;
}

} // namespace prophet::test
