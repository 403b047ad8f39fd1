//===- Engine.cpp - Event by event emulation of a region ------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Engine.h"

#include "predictor/emulator/Pinning.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace prophet {

Engine::Engine(const RegionContext &context)
    : TeamEngine(context),
      stepsInside(context.mayShareCores() && deepestTeam > 0 && !context.takesInnerWhole()) {}

ThreadTimes Engine::run(const Region &region) {
  begin(region, pinningOf(context, region), context.relief(region.start.child->node));
  constexpr std::uint32_t master = 0;
  if (workers.empty())
    workers.emplace_back();
  openRegion(master, region.start, region.asleep);
  while (!clock.idle()) {
    act(clock.next());
    clock.retire();
  }
  assert(workers[master].stack.empty() && "a deadlock; unsupported() refuses such trees");
  workers[master].stack.clear();
  return finish();
}

/// Whether `child` is one piece of time for `thread`: nobody else can meet it inside.
bool Engine::fuses(const TimedChild &child, const Thread &thread) const {
  if (child.traits.isPlain())
    return true;
  return !child.traits.hasLock && !stepsInside && teams[thread.team].level >= deepestTeam;
}

void Engine::act(std::uint32_t id) {
  switch (wake(id)) {
  case Actor::Then::StartTeam:
    return startTeam(id);
  case Actor::Then::ReachBarrier:
    return reachBarrier(id);
  case Actor::Then::Lock:
    return claim(id);
  case Actor::Then::RunAgain:
    return runAgain(id);
  case Actor::Then::LeaveTeam:
    leaveRegion(id);
    break;
  case Actor::Then::FinishRegion: // the task engine's
  case Actor::Then::Go:
    break;
  }
  bool busy = false;
  while (!busy && !workers[id].stack.empty())
    switch (workers[id].stack.back().kind) {
    case Frame::Kind::Sequence:
      busy = stepSequence(id);
      break;
    case Frame::Kind::Serial:
      busy = stepSerial(id);
      break;
    case Frame::Kind::Worker:
      busy = stepWorker(id);
      break;
    }
}

/// The next piece of a task, or of what holds a lock. Steps return true when `id` has to wait.
bool Engine::stepSequence(std::uint32_t id) {
  Thread &thread = workers[id];
  Frame &frame = thread.stack.back();
  if (frame.at.left == 0) {
    const std::uint32_t lock = frame.lock;
    if (lock != nobody && thread.owed > 0)
      return payOwed(id);
    thread.stack.pop_back();
    if (lock != nobody)
      release(lock);
    else if (context.listener && thread.stack.back().kind == Frame::Kind::Worker)
      context.listener->taskEnds(id, timed.grid.ticks(clock.real()));
    return false;
  }
  const TimedChild &child = *frame.at.child;
  if (fuses(child, thread)) {
    const std::uint64_t count = frame.at.left;
    frame.at.left = 1;
    frame.at = frame.at.next();
    return spendFused(id, child, count);
  }
  if (child.traits.kind() == NodeKind::Section)
    return enterSection(id);
  if (thread.owed > 0)
    return payOwed(id);
  frame.at = frame.at.next();
  return acquire(id, child);
}

bool Engine::enterSection(std::uint32_t id) {
  Thread &thread = workers[id];
  Frame &frame = thread.stack.back();
  const TimedChild &section = *frame.at.child;
  const NodeId node = section.node;
  if (!frame.isInRegion && isParallel(node, thread)) {
    if (thread.owed > 0)
      return payOwed(id);
    openRegion(id, frame.at, context.charges.blockTime <= 0);
    return true;
  }
  frame.isInRegion = isInRegionOf(frame.at, thread);
  frame.at = frame.at.next();
  if (context.chains.parallel(node))
    thread.owed += sectionOverhead(timed, context.options, context.charges, node);
  Frame &serial = thread.stack.emplace_back(Frame::Kind::Serial);
  serial.section = node;
  serial.at = firstChild(timed, section);
  serial.since = clock.real();
  return false;
}

bool Engine::stepSerial(std::uint32_t id) {
  Thread &thread = workers[id];
  Frame &frame = thread.stack.back();
  if (frame.at.left == 0) {
    if (thread.owed > 0)
      return payOwed(id);
    context.tally.addSection(timed, frame.section, (clock.real() - frame.since) * executions);
    thread.stack.pop_back();
    return false;
  }
  const TimedChild &task = *frame.at.child;
  const bool whole = fuses(task, thread);
  const std::uint64_t count = whole ? frame.at.left : 1;
  Frame body{Frame::Kind::Sequence};
  body.at = frame.at;
  frame.at.left -= count - 1;
  frame.at = frame.at.next();
  if (whole)
    return spendFused(id, task, count);
  if (task.traits.kind() == NodeKind::Task) {
    body.at = firstChild(timed, task);
  } else { // A section of tasks also holds what its thread executes itself.
    while (frame.at.left > 0 && frame.at.child->traits.kind() != NodeKind::Task) {
      frame.at.left = 1;
      frame.at = frame.at.next();
    }
    body.at.end = frame.at.child;
  }
  thread.stack.push_back(body);
  return false;
}

/// Of the top frame's loop: a chunk, a piece, or all that `id` does in it.
Engine::Turn Engine::takePart(std::uint32_t id, Frame &frame) {
  const Thread &thread = workers[id];
  Team &team = teams[thread.team];
  if (frame.turn == onItsWay && thread.owed > 0 && payOwed(id))
    return Turn::Busy;
  Loop &loop = team.loop(frame.loop);
  if (!std::exchange(loop.reached, true))
    preview(team, frame.loop);
  if (loop.piece > 0)
    return takePiece(id, loop, frame);
  return loop.shares.empty() ? takeTurn(id, loop, frame) : takeShare(id, loop, frame);
}

bool Engine::stepWorker(std::uint32_t id) {
  Thread &thread = workers[id];
  Frame &frame = thread.stack.back();
  if (frame.begin == frame.end) {
    thread.place.count = 0;
    switch (takePart(id, frame)) {
    case Turn::Busy:
      return true;
    case Turn::Over:
      if (leaveLoop(id))
        return false;
      reachBarrier(id); // at the region's end
      return true;
    case Turn::Chunk:
      break;
    }
  }
  const std::uint64_t begin = frame.begin;
  const Piece piece = takeIterations(frame, frame.end, thread.slowdown.factor,
                                     [&](const TimedChild &task) { return fuses(task, thread); });
  if (piece.count > 0) {
    thread.place = {thread.place.site, begin, piece.count, true};
    spend(id, Activity::Compute, piece.base, piece.work,
          piece.overhead + std::exchange(thread.owed, 0));
    return true;
  }
  thread.place = {thread.place.site, begin, 1};
  if (context.listener)
    context.listener->taskBegins(id, thread.place, timed.grid.ticks(clock.real()));
  enterIteration(thread);
  return false;
}

} // namespace prophet
