//===- Guard.cpp - What else ran during a measurement ---------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/openmp/Guard.h"

#include "memmodel/openmp/Now.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace openmp_overheads {

namespace {

/// What all processors were busy with, and what was stolen from them, in ns.
double machineTime() {
  std::ifstream file("/proc/stat");
  std::string word;
  double user = 0, nice = 0, system = 0, idle = 0, io = 0, irq = 0, soft = 0, steal = 0;
  file >> word >> user >> nice >> system >> idle >> io >> irq >> soft >> steal;
  return (user + nice + system + irq + soft + steal) * 1e9 /
         static_cast<double>(sysconf(_SC_CLK_TCK));
}

double nanoseconds(timeval time) {
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_usec) * 1e3;
}

double ownTime() {
  double sum = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    sum += nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime);
  }
  return sum;
}

} // namespace

Guard::Reading Guard::read() {
  Reading reading{now(), machineTime(), ownTime(), 0, 0};
  std::error_code code;
  for (const auto &thread : std::filesystem::directory_iterator("/proc/self/task", code)) {
    std::ifstream file(thread.path() / "schedstat");
    double ran = 0, waited = 0;
    if (file >> ran >> waited) {
      reading.ran += ran;
      reading.waited += waited;
    }
  }
  return reading;
}

Guard::Guard() : begin(read()) {}

double Guard::foreignCores() const {
  const Reading end = read();
  if (end.machine == 0)
    return 0;
  const double foreign = (end.machine - begin.machine) - (end.own - begin.own);
  return std::max(0.0, foreign) / (end.wall - begin.wall);
}

double Guard::waitedShare() const {
  const Reading end = read();
  const double ran = end.ran - begin.ran, waited = end.waited - begin.waited;
  return ran + waited > 0 ? waited / (ran + waited) : 0;
}

} // namespace openmp_overheads
