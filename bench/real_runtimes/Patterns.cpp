//===- Patterns.cpp - Programs that are compared --------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "test/unit/predictor/emulatorPatterns.h"

using namespace prophet;
using namespace prophet::test;

namespace real_runtimes {

constexpr double often = 0.7; ///< of critical sections

constexpr Pattern all[] = {
    {"Test1", false, false, [](auto &random) { return drawTest1Program(random, 0); }},
    {"Test1-locks", false, true, [](auto &random) { return drawTest1Program(random, often); }},
    {"Test2", false, false, [](auto &random) { return drawTest2Program(random, 0); }},
    {"Test2-locks", false, true, [](auto &random) { return drawTest2Program(random, often); }},
    {"Test2-nested", true, false, [](auto &random) { return drawTest2Program(random, 0); }},
    {"Test2-nested-locks", true, true,
     [](auto &random) { return drawTest2Program(random, often); }},
    {"nowait", false, false,
     [](auto &random) { return drawTest1Program(random, 0, 2 + random() % 4); }},
    {"nowait-locks", false, true,
     [](auto &random) { return drawTest1Program(random, often, 2 + random() % 4); }},
    {"sections", false, true, [](auto &random) { return drawSectionsProgram(random, often); }},
    {"lock-in-lock", false, true, drawLockInLockProgram},
    {"quicksort", false, false, [](auto &random) { return drawQuicksortProgram(random); },
     Paradigm::OpenMP},
    {"quicksort-tbb", false, false, [](auto &random) { return drawQuicksortProgram(random); },
     Paradigm::Tbb},
    {"fft-tbb", false, false, drawFourierProgram, Paradigm::Tbb},
    {"flat-tasks-tbb", false, false, [](auto &random) { return drawFlatTasksProgram(random, 0); },
     Paradigm::Tbb},
    {"flat-tasks-locks-tbb", false, true,
     [](auto &random) { return drawFlatTasksProgram(random, often); }, Paradigm::Tbb},
    {"tasks-in-loop-tbb", false, false,
     [](auto &random) { return drawTasksInLoopProgram(random, 0); }, Paradigm::Tbb},
    {"loop-tbb", false, false, [](auto &random) { return drawTest1Program(random, 0); },
     Paradigm::Tbb},
    {"loop-locks-tbb", false, true, [](auto &random) { return drawTest1Program(random, often); },
     Paradigm::Tbb},
    {"loops-in-loop-tbb", false, false, [](auto &random) { return drawTest2Program(random, 0); },
     Paradigm::Tbb},
    {"quicksort-locks", false, true, [](auto &random) { return drawQuicksortProgram(random, 0.5); },
     Paradigm::OpenMP},
    {"fft", false, false, drawFourierProgram, Paradigm::OpenMP},
    {"flat-tasks", false, false, [](auto &random) { return drawFlatTasksProgram(random, 0); },
     Paradigm::OpenMP},
    {"flat-tasks-locks", false, true,
     [](auto &random) { return drawFlatTasksProgram(random, often); }, Paradigm::OpenMP},
    {"tasks-in-loop", false, false, [](auto &random) { return drawTasksInLoopProgram(random, 0); },
     Paradigm::OpenMP},
    {"tasks-in-loop-locks", false, true,
     [](auto &random) { return drawTasksInLoopProgram(random, often); }, Paradigm::OpenMP},
    {"tasks-in-nowait-loops", false, false,
     [](auto &random) { return drawTasksInLoopProgram(random, 0, 2 + random() % 3); },
     Paradigm::OpenMP},
    {"tasks-in-nowait-loops-locks", false, true,
     [](auto &random) { return drawTasksInLoopProgram(random, often, 2 + random() % 3); },
     Paradigm::OpenMP},
    {"teams-in-tasks", true, false, [](auto &random) { return drawTeamsInTasksProgram(random, 0); },
     Paradigm::OpenMP},
    {"teams-in-tasks-locks", true, true,
     [](auto &random) { return drawTeamsInTasksProgram(random, often); }, Paradigm::OpenMP},
    {"teams-in-tasks-crowded", true, false,
     [](auto &random) { return drawTeamsInTasksProgram(random, 0); }, Paradigm::OpenMP, true},
    {"teams-in-tasks-locks-crowded", true, true,
     [](auto &random) { return drawTeamsInTasksProgram(random, often); }, Paradigm::OpenMP, true},
    {"taskloop", false, false, [](auto &random) { return drawTest1Program(random, 0); },
     Paradigm::Tasks},
    {"taskloop-locks", false, true, [](auto &random) { return drawTest1Program(random, often); },
     Paradigm::Tasks},
    {"taskloop-nested", false, false, [](auto &random) { return drawTest2Program(random, 0); },
     Paradigm::Tasks},
};

std::span<const Pattern> patterns() { return all; }

} // namespace real_runtimes
