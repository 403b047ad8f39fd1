//===- Student.h - How far an estimate of few values may be off -*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace prophet {

/// Half of the interval that holds 95 % of Student's t distribution.
/// \param freedom its degrees of freedom, one at least; need not be whole
double studentQuantile(double freedom);

} // namespace prophet
