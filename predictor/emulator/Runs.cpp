//===- Runs.cpp - Runs of equal tasks -------------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Runs.h"

#include <algorithm>

namespace prophet {

Runs chunkRuns(Runs tasks, std::uint64_t chunk, Time perChunk) {
  if (chunk == 1) {
    for (Run &run : tasks)
      run.duration += perChunk;
    return tasks;
  }
  Runs chunks;
  std::uint64_t filled = 0; // tasks in the open chunk
  Time open = perChunk;
  for (Run run : tasks) {
    if (filled > 0) {
      const std::uint64_t taken = std::min(run.count, chunk - filled);
      open += run.duration * static_cast<Time>(taken);
      filled += taken;
      run.count -= taken;
      if (filled < chunk)
        continue;
      append(chunks, {open, 1});
    }
    if (const std::uint64_t whole = run.count / chunk)
      append(chunks, {perChunk + run.duration * static_cast<Time>(chunk), whole});
    filled = run.count % chunk;
    open = perChunk + run.duration * static_cast<Time>(filled);
  }
  if (filled > 0)
    append(chunks, {open, 1});
  return chunks;
}

} // namespace prophet
