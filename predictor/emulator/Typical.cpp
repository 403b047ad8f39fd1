//===- Typical.cpp - Overheads measured on the development machine --------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Overheads.h"

namespace prophet {

Overheads Overheads::typical(OmpRuntime runtime) {
  Overheads table;
  table.active = {{{{1, 110}, {2, 500}}}, {{{1, 0}, {2, 300}}}, 230};
  table.passive = {{{{1, 110}, {2, 22000}}}, {{{1, 0}, {2, 22000}}}, 46000};
  table.staticChunk.chunk = 1;
  table.queue.chunk = runtime == OmpRuntime::Libomp ? 60 : 33;
  table.steal.chunk = 60;
  table.lockPair = 38;
  table.serializedRegion = 120;
  return table;
}

} // namespace prophet
