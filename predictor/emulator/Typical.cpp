//===- Typical.cpp - Overheads of the development machine -----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Measured with bench/openmp_overheads (libomp 19.1.7, libgomp 12.2) on the
// development machine, two virtual cores: of six runs the least disturbed value,
// and for passive waiting the runs on an idle machine, since a core that something
// else keeps awake wakes its thread several times as fast. Larger teams than two were
// not measured.
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Overheads.h"

namespace prophet {

namespace {

/// The cost of a team of one, which runtimes serialise, and of a team of two.
TeamCost oneAndTwo(double one, double two) {
  return std::vector<TeamCost::Point>{{1, one}, {2, two}};
}

Overheads libomp() {
  Overheads table;
  table.active = {oneAndTwo(67, 454), oneAndTwo(46, 280), oneAndTwo(25, 267)};
  table.passive = {oneAndTwo(63, 25900), oneAndTwo(39, 34100), oneAndTwo(25, 84)};
  table.staticBlock = {oneAndTwo(307, 334), 0};
  table.staticChunk = {oneAndTwo(307, 335), oneAndTwo(0.8, 1.7)};
  table.queue = {oneAndTwo(979, 1039), oneAndTwo(2.5, 458)};
  table.steal = {oneAndTwo(977, 1705), oneAndTwo(2.8, 400)};
  table.lockPair = 25;
  table.serializedRegion = 97;
  return table;
}

Overheads libgomp() {
  Overheads table;
  table.active = {oneAndTwo(88, 549), oneAndTwo(135, 233), oneAndTwo(7.2, 30)};
  table.passive = {oneAndTwo(89, 25000), oneAndTwo(136, 36100), oneAndTwo(4.6, 49)};
  table.staticBlock = {oneAndTwo(0.8, 4), 0};
  table.staticChunk = {oneAndTwo(0, 0), oneAndTwo(0, 0.5)};
  table.queue = {oneAndTwo(21, 332), oneAndTwo(5.9, 57)};
  table.steal = table.queue; // libgomp has no other dynamic schedule
  table.lockPair = 7;
  table.serializedRegion = 411;
  return table;
}

} // namespace

Overheads Overheads::typical(OmpRuntime runtime) {
  return runtime == OmpRuntime::Libomp ? libomp() : libgomp();
}

} // namespace prophet
