//===- TbbPieces.cpp - How oneTBB cuts a loop into pieces -----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/TbbPieces.h"

#include <algorithm>

namespace prophet {

/// dynamic_grainsize_mode::check_being_stolen
void TbbPiece::begin(bool stolen) {
  if (divisor > 0)
    return;
  divisor = 1;
  if (stolen)
    depth = std::max(depth, 1u) + 1;
}

/// auto_partition_type::is_divisible, adaptive_mode::do_split
TbbPiece TbbPiece::splitOff() {
  if (divisor == 1)
    --depth;
  divisor /= 2;
  return {divisor, depth};
}

/// dynamic_grainsize_mode::work_balance: without depth it is one range.
void TbbPiece::cut(std::uint64_t begin, std::uint64_t end) {
  isCut = true;
  ranges[0] = {end, 0};
  count = 1;
  refill(begin);
}

bool TbbPiece::canRefill(std::uint64_t begin) const {
  return count < ranges.size() && ranges[count - 1].depth < depth &&
         ranges[count - 1].end - begin > 1;
}

/// range_vector::split_to_fill
void TbbPiece::refill(std::uint64_t begin) {
  while (canRefill(begin)) {
    Range &range = ranges[count - 1];
    ++range.depth;
    ranges[count] = {begin + (range.end - begin) / 2, range.depth};
    ++count;
  }
}

TbbPiece TbbPiece::offer() {
  divisor /= 2;
  const TbbPiece offered{divisor, depth - ranges[0].depth};
  std::shift_left(ranges.begin(), ranges.begin() + count, 1);
  --count;
  return offered;
}

} // namespace prophet
