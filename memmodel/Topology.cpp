//===- Topology.cpp - The cores and caches of this machine ----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/Topology.h"

#include <algorithm>
#include <fstream>
#include <hwloc.h>
#include <sched.h>
#include <string>

namespace prophet::memmodel {

/// Of the first processor, now; 0 where the system does not say.
static double clockRate() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("cpu MHz"))
      return std::stod("0" + line.substr(std::min(line.size(), line.find(':') + 2))) * 1e6;
  return 0;
}

/// The hardware threads below `object` that this process may use.
static std::vector<int> allowedCpus(hwloc_obj_t object) {
  std::vector<int> cpus;
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
    return cpus;
  for (int cpu = hwloc_bitmap_first(object->cpuset); cpu >= 0;
       cpu = hwloc_bitmap_next(object->cpuset, cpu))
    if (cpu < CPU_SETSIZE && CPU_ISSET(cpu, &allowed))
      cpus.push_back(cpu);
  return cpus;
}

static void addCaches(hwloc_topology_t topology, Machine &machine) {
  for (hwloc_obj_type_t type : {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE}) {
    const hwloc_obj_t cache = hwloc_get_obj_by_type(topology, type, 0);
    if (!cache || cache->attr->cache.size == 0)
      continue;
    const int cores =
        hwloc_get_nbobjs_inside_cpuset_by_type(topology, cache->cpuset, HWLOC_OBJ_CORE);
    machine.caches.push_back({cache->attr->cache.depth,
                              double(cache->attr->cache.size),
                              static_cast<unsigned>(std::max(cores, 1)),
                              0,
                              {}});
    if (cache->attr->cache.linesize > 0)
      machine.lineBytes = cache->attr->cache.linesize;
  }
}

Topology findTopology() {
  Topology result;
  Machine &machine = result.machine;
  machine.frequencyHz = clockRate();
  hwloc_topology_t topology;
  if (hwloc_topology_init(&topology) != 0)
    return result;
  if (hwloc_topology_load(topology) == 0) {
    const int cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
    machine.cores = static_cast<unsigned>(std::max(cores, 1));
    machine.smt = 1;
    machine.sockets =
        static_cast<unsigned>(std::max(hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE), 1));
    addCaches(topology, machine);
    for (int i = 0; i < cores; ++i)
      if (const auto cpus = allowedCpus(
              hwloc_get_obj_by_type(topology, HWLOC_OBJ_CORE, static_cast<unsigned>(i)));
          !cpus.empty()) {
        result.cpus.push_back(cpus.front());
        machine.smt = std::max(machine.smt, static_cast<unsigned>(cpus.size()));
      }
  }
  hwloc_topology_destroy(topology);
  if (const int here = sched_getcpu(); result.cpus.empty() && here >= 0)
    result.cpus.push_back(here); // of a system that does not say which cores it has
  return result;
}

} // namespace prophet::memmodel
