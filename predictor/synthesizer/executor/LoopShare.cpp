//===- LoopShare.cpp - A thread's part in a loop, in virtual time ---------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/LoopShare.h"

#include "predictor/synthesizer/executor/Runtime.h"

#include <utility>

namespace synthesizer {

LoopShare::LoopShare(Timing &timing, Worker &worker, const SiteSettings &settings, int iterations,
                     const LoopCosts *costs, bool isShared)
    : timing(timing), worker(worker), outer(std::exchange(dispatchListener, this)),
      costs(costs ? *costs : LoopCosts()), isShared(isShared),
      isAsked(!isDealtBeforehand(settings.sharing)),
      chunk(settings.sharing == Sharing::StaticChunk ? chunkOf(settings.chunk, iterations) : 0) {
  timing.pay(worker, this->costs.start);
  if (isShared && isAsked)
    timing.meet(worker);
}

void LoopShare::begin(int number) {
  if (!isAsked && (chunk == 0 ? !hasSome : number % chunk == 0))
    takes();
  if (!hasSome)
    giveUp("OpenMP deals out chunks by other functions than are known");
}

void LoopShare::asks() {
  if (!isShared || !isAsked)
    return;
  if (nextTurn > worker.carried)
    timing.pay(worker, nextTurn - worker.carried);
  timing.meet(worker);
}

void LoopShare::takes() {
  hasSome = true;
  nextTurn = worker.carried + costs.turn;
  timing.pay(worker, costs.chunk);
}

} // namespace synthesizer
