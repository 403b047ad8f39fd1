//===- Guard.h - What else ran during a measurement -------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace openmp_overheads {

/// Counts from its construction on. A file of /proc that is missing counts as nothing.
class Guard {
public:
  Guard();

  /// Cores that were not ours, nor those of programs that we ran and awaited: other processes,
  /// interrupts and what a hypervisor took away.
  double foreignCores() const;
  /// The share of the time that our threads, when they could run, waited for a core.
  double waitedShare() const;

private:
  struct Reading {
    double wall;         ///< ns
    double machine, own; ///< ns of all processors; of this process and those that it awaited
    double ran, waited;  ///< ns of this process's threads
  };
  static Reading read();
  Reading begin;
};

} // namespace openmp_overheads
