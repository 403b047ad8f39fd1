//===- TaskEngineShared.cpp - libgomp's one queue of tasks ----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libgomp (task.c) has one queue for a team. At a barrier a thread takes the oldest
// task; in a taskwait it takes the newest of those that it waits for, and no other.
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/TaskEngine.h"

#include <algorithm>

namespace prophet {

/// How many more tasks may wait, those that run included.
std::uint64_t TaskEngine::roomInQueue(const TaskTeam &team) const {
  const std::uint64_t most = 64ull * team.size + 1; // GOMP_task runs what comes after these at once
  return team.sharedCount < most ? most - team.sharedCount : 0;
}

/// A task that `id` may run: `isWaiting` for what its top frame spawned, or at a barrier.
std::optional<TaskEntry> TaskEngine::takeShared(std::uint32_t id, bool isWaiting) {
  std::deque<TaskEntry> &shared = teamOf(id).shared;
  auto place = shared.begin();
  if (isWaiting) {
    const std::uint32_t group = workers[id].stack.back().group;
    const auto newest = std::find_if(shared.rbegin(), shared.rend(),
                                     [&](const TaskEntry &entry) { return entry.group == group; });
    place = newest == shared.rend() ? shared.end() : std::prev(newest.base());
  }
  if (place == shared.end())
    return std::nullopt;
  const TaskEntry entry = *place;
  if (--place->count == 0)
    shared.erase(place);
  return entry;
}

} // namespace prophet
