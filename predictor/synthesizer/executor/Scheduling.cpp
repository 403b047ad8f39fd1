//===- Scheduling.cpp - How the system treats this process ----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/Scheduling.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sched.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace synthesizer {

void pinTo(unsigned cores) {
  cpu_set_t allowed, kept;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
    return;
  CPU_ZERO(&kept);
  for (int cpu = CPU_SETSIZE - 1; cpu >= 0 && cores > 0; --cpu)
    if (CPU_ISSET(cpu, &allowed)) {
      CPU_SET(cpu, &kept);
      --cores;
    }
  sched_setaffinity(0, sizeof kept, &kept);
}

unsigned usableCores() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
    return std::max(std::thread::hardware_concurrency(), 1u);
  return static_cast<unsigned>(CPU_COUNT(&allowed));
}

bool takeRealtimePriority() {
  long runtime = -1, period = 0;
  std::ifstream("/proc/sys/kernel/sched_rt_runtime_us") >> runtime;
  std::ifstream("/proc/sys/kernel/sched_rt_period_us") >> period;
  if (runtime < 0 || runtime >= period)
    return false;
  const sched_param lowest{sched_get_priority_min(SCHED_FIFO)};
  return sched_setscheduler(0, SCHED_FIFO, &lowest) == 0;
}

void takeTurnsOnOneCore(bool mustBeLeftAlone) {
  cpu_set_t own;
  CPU_ZERO(&own);
  CPU_SET(sched_getcpu(), &own);
  sched_setaffinity(0, sizeof own, &own);
  const sched_param none{};
  if (!mustBeLeftAlone || !takeRealtimePriority())
    sched_setscheduler(0, SCHED_BATCH, &none);
}

bool takeHighPriority() { return setpriority(PRIO_PROCESS, 0, -20) == 0; }

double measureWakeUp() {
  using Clock = std::chrono::steady_clock;
  constexpr auto sleep = std::chrono::microseconds(50);
  std::vector<double> late;
  for (int i = 0; i < 15; ++i) {
    const auto begin = Clock::now();
    std::this_thread::sleep_for(sleep);
    late.push_back(std::chrono::duration<double, std::nano>(Clock::now() - begin - sleep).count());
  }
  std::nth_element(late.begin(), late.begin() + 7, late.end());
  return late[7];
}

} // namespace synthesizer
