//===- MessCurves.h - Curves that the Mess benchmark published --*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mess (github.com/bsc-mem) has curves of many machines, in three forms:
//
//   memory_curves.csv    a header; of its columns rd_percentage (or read_pct_rounded),
//                        bandwidth_mean (GB/s) and latency_mean are read
//   memory_curves.json   {"100": [[GB/s, latency], ...], "50": ...}
//   bwlat_NN.txt         a line for each point, MB/s and latency, of NN % reads
//
// Latencies are ns in what Mess 2 writes, and cycles in some of the older files.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/CurveFamily.h"

#include <optional>
#include <string>

namespace prophet::memmodel {

/// The curves in the text of a file, by its name and contents. Points below 0 GB/s, which smoothing
/// leaves, are left out. \param nsPerUnit of a latency. \param problem as of readMachine().
std::optional<std::vector<MeasuredCurve>> readMess(const std::string &text, const std::string &file,
                                                   double nsPerUnit, std::string &problem);

} // namespace prophet::memmodel
