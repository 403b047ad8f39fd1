//===- WhatIfText.h - Changed programs beside the one as it is --*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/report/Prediction.h"
#include "predictor/support/Terminal.h"

namespace prophet {

/// Every change beside the program as it is, each under its best schedule; "" without changes.
/// \param nameWidth the least width of the first column.
std::string renderWhatIfs(const Prediction &prediction, Style style, std::size_t nameWidth);

} // namespace prophet
