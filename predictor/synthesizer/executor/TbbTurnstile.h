//===- TbbTurnstile.h - Virtual time for oneTBB's threads -------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// oneTBB's threads come to an arena when there is work, and leave it soon after
// there is none. Here they are called in at once and then kept.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/synthesizer/executor/Turnstile.h"

#include <functional>

namespace synthesizer {

class TbbTurnstile final : public Turnstile {
public:
  using Turnstile::closeRegion;
  using Turnstile::openRegion;
  using Turnstile::Turnstile;

  /// `master`, in an arena of `size` threads, has the others come. They look for tasks until they
  /// are dismissed.
  /// \param self the calling thread's worker
  void gather(Worker &master, unsigned size, const std::function<Worker &()> &self);
  void dismiss(Worker &master);
};

} // namespace synthesizer
