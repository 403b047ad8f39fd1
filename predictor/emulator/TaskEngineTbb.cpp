//===- TaskEngineTbb.cpp - oneTBB's loops in the task engine --------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/TaskEngine.h"

namespace prophet {

std::uint32_t TaskEngine::newPiece(const TbbPiece &piece) {
  const std::uint32_t id = pieces.take();
  pieces[id] = piece;
  return id;
}

void TaskEngine::beginPiece(std::uint32_t id, bool stolen) {
  TbbPiece &piece = pieces[id];
  const bool robs = stolen && piece.divisor == 0 && splits[piece.split].open == 2;
  if (robs)
    splits[piece.split].wasRobbed = true;
  piece.begin(robs);
}

/// `ended` is done: so are the splits of which nothing is left.
void TaskEngine::endPiece(std::uint32_t ended) {
  std::uint32_t split = pieces[ended].split;
  while (split != nobody && --splits[split].open == 0) {
    const std::uint32_t done = split;
    split = splits[done].above;
    splits.give(done);
  }
  pieces.give(ended);
}

/// What is right of `middle` becomes the task `right`.
void TaskEngine::splitPiece(std::uint32_t id, std::uint64_t middle, TbbPiece right) {
  Worker &worker = workers[id];
  TaskFrame &frame = worker.stack.back();
  const std::uint32_t split = splits.take();
  splits[split] = {pieces[frame.piece].split};
  pieces[frame.piece].split = right.split = split;
  TaskEntry half{nullptr, frame.group, worker.record, id};
  if (context.listener)
    half.since = clock.real();
  half.begin = middle;
  half.end = frame.end;
  half.piece = newPiece(right);
  frame.end = middle;
  push(id, half);
}

/// The next range of the piece on top, or a part of it for others. \pre something is left
bool TaskEngine::stepPiece(std::uint32_t id) {
  TaskFrame &frame = workers[id].stack.back();
  if (frame.begin < frame.rangeEnd)
    return runIterations(id, frame.rangeEnd);
  TbbPiece &piece = pieces[frame.piece];
  if (!piece.isCut && frame.end - frame.begin > 1 && piece.isToSplit()) {
    if (!payCreation(id))
      return true;
    splitPiece(id, frame.begin + (frame.end - frame.begin) / 2, piece.splitOff());
    return false;
  }
  if (!piece.isCut)
    piece.cut(frame.begin, frame.end);
  piece.refill(frame.begin);
  if (piece.split != nobody && splits[piece.split].wasRobbed && piece.depth > 0) {
    if (piece.count > 1 && !payCreation(id))
      return true;
    ++piece.depth;
    if (piece.count > 1) {
      const std::uint64_t middle = piece.ranges[1].end;
      splitPiece(id, middle, piece.offer());
      return false;
    }
    if (piece.canRefill(frame.begin))
      return false;
  }
  frame.rangeEnd = piece.ranges[--piece.count].end;
  return false;
}

} // namespace prophet
