//===- MachineRefusalsTest.cpp - Machine files that are malformed ---------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/Machine.h"

#include <gtest/gtest.h>

using namespace prophet::memmodel;

namespace {

std::string problemOf(const std::string &members) {
  std::string problem;
  const std::string text = R"({"format": "prophet-machine", "version": 1)" + members + "}";
  EXPECT_FALSE(readMachine(text, problem)) << text;
  return problem;
}

/// Members of a machine file, and a part of the reason why they are refused.
using Refusal = std::pair<const char *, const char *>;

void expectRefused(std::initializer_list<Refusal> refusals) {
  for (const auto &[members, reason] : refusals)
    EXPECT_NE(problemOf(members).find(reason), std::string::npos) << problemOf(members);
}

} // namespace

TEST(MachineRefusals, areOfOtherFiles) {
  std::string problem;
  EXPECT_FALSE(readMachine("", problem));
  EXPECT_EQ(problem, "is no machine file; 'prophet calibrate' writes one");
  EXPECT_FALSE(readMachine(R"({"format": "prophet-machine", "version": 2})", problem));
  EXPECT_EQ(problem, "is not version 1 of the machine file; run 'prophet calibrate' again");
}

TEST(MachineRefusals, areOfCurves) {
  expectRefused({
      {R"(, "memory": 3)", "\"memory\" is no object"},
      {R"(, "memory": {})", "\"memory.curves\" is missing or empty"},
      {R"(, "memory": {"curves": {"2": []}})", "no read share from 0 to 1"},
      {R"(, "memory": {"curves": {"1": []}})", "has no point [GB/s, ns]"},
      {R"(, "memory": {"curves": {"1": [[1, -5]]}})", "no pair of numbers"},
      {R"(, "memory": {"curves": {"1": [[1e99, 5]]}})", "no pair of numbers"},
      {R"(, "memory": {"curves": {"1": [[1, 5]], "1.0": [[1, 5]]}})", "read share twice"},
      {R"(, "memory": {"curves": {"1": [[1, 0]]}})", "no pair of numbers"},
      {R"(, "memory": {"curves": {"1": [[1, 1e7]]}})", "no pair of numbers"},
      {R"(, "memory": {"curves": {"1": [[1, 5, 9]]}})", "no pair of numbers"},
      {R"(, "memory": {"curves": {"1": [[0, 5]]}})", "has no point [GB/s, ns] above 0"},
      {R"(, "memory": {"curves": {"-0.5": [[1, 5]]}})", "no read share from 0 to 1"},
      {R"(, "memory": {"curves": {"1 ": [[1, 5]]}})", "no read share from 0 to 1"},
      {R"(, "memory": {"curves": {"0.5": [[1, 5]], "1": [[1, 5]], "5e-1": [[1, 5]]}})",
       "read share twice"},
      {R"(, "memory": {"saturation_seen": 1, "curves": {"1": [[1, 5]]}})",
       "\"memory.saturation_seen\" is neither true nor false"},
  });
}

TEST(MachineRefusals, areOfMemorysFigures) {
  expectRefused({
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "transfer_ns": "x"})", "transfer_ns"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "stream_runs": {"x": 5}})", "stream_runs"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "stream_runs": {"16": 5, "016": 6}})", "twice"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "stream_runs": {"16": 0}})", "stream_runs.16"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "busy_stream_runs": {"16": -1}})",
       "memory.busy_stream_runs.16"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "written_stream_runs": {"16": 0}})",
       "memory.written_stream_runs.16"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "shared_stream_runs": {"-1": 2}})",
       "memory.shared_stream_runs"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "busy_shared_runs": 7})", "busy_shared_runs"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "written_shared_runs": {"1": "x"}})",
       "memory.written_shared_runs.1"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "overlap": {"transfers": [[1, 2]]}})",
       "memory.overlap.transfers"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "sparse_gbs": -1})", "sparse_gbs"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "addition_ns": -1})", "addition_ns"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "overlap": 5})",
       "\"memory.overlap\" is no object"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "overlap": {"memory": 1}})",
       "\"memory.overlap.memory\" is no array"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "overlap": {"shared": [[1, 2]]}})",
       "\"memory.overlap.shared\" has something that is no pair"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "overlap": {"shared": [[0, 1]]}})",
       "no pair of numbers above 0 and from 0 to 1"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "shared_by_all": 5})",
       "\"memory.shared_by_all\" is no object"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "shared_by_all": {}})",
       "\"memory.shared_by_all\" lacks \"threads\" above 1"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "shared_by_all": {"threads": 1}})",
       "\"memory.shared_by_all\" lacks \"threads\" above 1"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "shared_by_all": {"threads": 4, "gbs": -1}})",
       "memory.shared_by_all.gbs"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "shared_by_all": {"threads": 4, "irregular_gbs": "x"}})",
       "memory.shared_by_all.irregular_gbs"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "ends_together": {"memory": 3}})",
       "\"memory.ends_together.memory\" is no object"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "ends_together": {"shared": {"streams": 1, "times": 1}}})",
       "\"memory.ends_together.shared.streams\" is not 2 or more"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "ends_together": {"memory": {"streams": 2, "times": 2.5}}})",
       "\"memory.ends_together.memory.times\" is not from 1 to its streams"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "ends_together": {"own": {"streams": 2}}})",
       "\"memory.ends_together.own.times\" is not from 1 to its streams"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "ends_together": {"memory": {"streams": 2, "times": 1, "lean_times": 0}}})",
       "\"memory.ends_together.memory.lean_times\" is not from 1 to its streams"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "ends_together": {"memory": {"streams": 2, "times": 1, "written_times": 3}}})",
       "\"memory.ends_together.memory.written_times\" is not from 1 to its streams"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "ends_together": {"own": {"streams": 2, "times": 1, "lean_times": 1}}})",
       "\"memory.ends_together.own\" has times beside \"times\""},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "own_ends": {"17": -1}})",
       "\"memory.own_ends.17\" is no time from 0"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "moved_lines": 5})",
       "\"memory.moved_lines\" is no object"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "moved_lines": {"read": []}})",
       "\"memory.moved_lines.read\" is no object"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "moved_lines": {"written": {"ahead_ns": -1}}})",
       "memory.moved_lines.written.ahead_ns"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "moved_lines": {"upgraded": {"ends": 1}}})",
       "\"memory.moved_lines.upgraded.ends\" is no object"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "moved_lines": {"upgraded": {"ends": {"17": -1}}}})",
       "\"memory.moved_lines.upgraded.ends.17\" is no time from 0"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "stream_runs": {"17": 0}})",
       "\"memory.stream_runs.17\" is no bandwidth above 0"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "together": []})",
       "\"memory.together\" is no object"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "together": {"streams": 1, "gbs": 9}})",
       "\"memory.together.streams\" is not 2 or more"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "together": {"streams": 2}})",
       "\"memory.together.gbs\" is no bandwidth above 0"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]},
                "together": {"streams": 2, "gbs": 9, "overlap": {"memory": 1}}})",
       "\"memory.together.overlap.memory\" is no array"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "overlap": {"shared": [[1, -1]]}})",
       "no pair of numbers above 0 and from 0 to 1"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "overlap": {"shared": [[1, 0, 1]]}})",
       "no pair of numbers above 0 and from 0 to 1"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "stream_runs": {"0": 5}})",
       "\"memory.stream_runs\" has a key that is no number of lines"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "stream_runs": {"16 lines": 5}})",
       "\"memory.stream_runs\" has a key that is no number of lines"},
      {R"(, "memory": {"curves": {"1": [[1, 5]]}, "stream_runs": {"16": 1e7}})",
       "\"memory.stream_runs.16\" is no bandwidth"},
  });
}

TEST(MachineRefusals, areOfCaches) {
  expectRefused({
      {R"(, "caches": [{"level": 3}])", "\"caches.bytes\" is no number"},
      {R"(, "caches": [7])", "\"caches\" is no object"},
      {R"(, "caches": [{"level": 1.5, "bytes": 1}])", "no whole number"},
      {R"(, "caches": [{"level": 3, "bytes": 1, "reach": 5}])", "\"caches.reach\" is no array"},
      {R"(, "caches": [{"level": 3, "bytes": 1, "reach": [[1, -5]]}])", "no pair of numbers"},
      {R"(, "caches": [{"level": 3, "bytes": 1, "reach": [[1, 5], [2, 6]]}])", "bytes that rise"},
      {R"(, "caches": [{"level": 3, "bytes": 1, "reach": [[0, 5]]}])", "or are 0"},
      {R"(, "caches": [{"level": 3, "bytes": 1, "reach_spread": 0.5}])", "reach_spread"},
      {R"(, "caches": [{"level": 3, "bytes": 1, "reach_sigma": -0.5}])", "reach_sigma"},
      {R"(, "caches": [{"level": 3, "bytes": 1, "effective_bytes": [3, 2]}])", "the larger one"},
  });
}

TEST(MachineRefusals, areOfWhatElseThereIs) {
  expectRefused({
      {R"(, "line": 0)", "\"line\" is no number from 1"},
      {R"(, "cores": -1, "memory": {})", "\"cores\" is no number"}, // what is wrong first
      {R"(, "cores": -1)", "\"cores\" is no number from 0"},
      {R"(, "name": 4)", "\"name\" is no text"},
      {R"(, "paper": {"psi": {}})", "lacks"},
      {R"(, "paper": {"psi": {"1": {}}, "phi": {}})", "no number of threads"},
      {R"(, "paper": {"psi": {"65537": {}}, "phi": {}})", "no number of threads"},
      {R"(, "paper": {"psi": {"2 ": {}}, "phi": {}})", "no number of threads"},
      {R"(, "paper": {"psi": {"2": {"shape": "round"}}, "phi": {}})",
       "\"paper.psi.shape\" is neither linear nor logarithmic"},
      {R"(, "paper": {"psi": {"2": {"shape": "linear", "offset": 1}}, "phi": {}})",
       "\"paper.psi.slope\" is no number"},
  });
}

TEST(MachineRefusals, leaveRoomForWhatToDo) {
  const std::string key(300, 'k');
  const std::string problem = problemOf(
      R"(, "memory": {"curves": {"1": [[1, 5]]}, "quality": {"iqr": {")" + key + "\": -1}}}");
  EXPECT_LT(problem.size(), 200u);
  EXPECT_NE(problem.find("; correct it"), problem.npos);
}
