//===- LoopShare.h - A thread's part in a loop, in virtual time -*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Has the thread ask for chunks when it is its turn, and pay for them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/synthesizer/executor/Dispatch.h"
#include "predictor/synthesizer/executor/Loops.h"
#include "predictor/synthesizer/executor/Timing.h"

namespace synthesizer {

class LoopShare final : public DispatchListener {
public:
  /// For as long as it lives the calling thread is in the loop.
  /// \param costs null: none
  LoopShare(Timing &timing, Worker &worker, const SiteSettings &settings, int iterations,
            const LoopCosts *costs, bool isShared);
  ~LoopShare() { dispatchListener = outer; }
  LoopShare(const LoopShare &) = delete;

  /// Iteration `number` begins.
  void begin(int number);

private:
  Timing &timing;
  Worker &worker;
  DispatchListener *const outer;
  const LoopCosts costs;
  const bool isShared, isAsked;
  const int chunk; ///< what is dealt out beforehand, in rounds; 0: in blocks
  bool hasSome = false;
  Time nextTurn = 0;

  void asks() override;
  void takes() override;
};

} // namespace synthesizer
