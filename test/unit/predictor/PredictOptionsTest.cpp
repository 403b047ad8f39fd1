//===- PredictOptionsTest.cpp - The words of a prediction -------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/PredictOptions.h"

#include <gtest/gtest.h>

using namespace prophet;

TEST(ScheduleWord, isOpenMPsClause) {
  EXPECT_EQ(parseSchedule("static")->schedule, (Schedule{Schedule::Kind::Static, 0}));
  EXPECT_EQ(parseSchedule("static,4")->schedule, (Schedule{Schedule::Kind::StaticChunk, 4}));
  EXPECT_EQ(parseSchedule("dynamic")->schedule, (Schedule{Schedule::Kind::Dynamic, 1}));
  EXPECT_EQ(parseSchedule("dynamic,8")->schedule, (Schedule{Schedule::Kind::Dynamic, 8}));
  EXPECT_EQ(parseSchedule("monotonic:dynamic")->schedule,
            (Schedule{Schedule::Kind::Dynamic, 1, true}));
  EXPECT_EQ(parseSchedule("monotonic:dynamic,8")->schedule.str(), "monotonic:dynamic,8");
  EXPECT_EQ(parseSchedule("nonmonotonic:dynamic,8")->schedule,
            (Schedule{Schedule::Kind::Dynamic, 8}));
  EXPECT_EQ(parseSchedule("guided")->schedule, (Schedule{Schedule::Kind::Guided, 1}));
  EXPECT_EQ(parseSchedule("guided,8")->schedule, (Schedule{Schedule::Kind::Guided, 8}));
  EXPECT_EQ(parseSchedule("auto")->kind, ScheduleChoice::Kind::Best);
  EXPECT_EQ(parseSchedule("written")->kind, ScheduleChoice::Kind::Written);
}

TEST(ScheduleWord, refusesWhatIsNotEmulated) {
  EXPECT_EQ(parseSchedule("fair,4").error().message,
            "--schedule 'fair,4' is unknown; use static, static,CHUNK, dynamic,CHUNK, "
            "monotonic:dynamic,CHUNK, guided,CHUNK, written or auto");
  for (const char *bad :
       {"", "Static", "static,", "static,0", "guided,0", "dynamic,-1", "dynamic,1,2", "auto,1",
        "written,1", ":dynamic", "monotonic:", "monotonic:guided", "monotonic:auto", "simd:dynamic",
        "monotonic:dynamic,0", "monotonic:monotonic:dynamic"})
    EXPECT_FALSE(parseSchedule(bad)) << bad;
}

TEST(Defaults, threadsArePowersOfTwoUpToTwiceTheCores) {
  EXPECT_EQ(defaultThreads(1), std::vector<unsigned>{2});
  EXPECT_EQ(defaultThreads(2), (std::vector<unsigned>{2, 4}));
  EXPECT_EQ(defaultThreads(6), (std::vector<unsigned>{2, 4, 8}));
}

TEST(Defaults, areThePapersSchedulesAndOpenMPsSettings) {
  auto request = PredictWords().resolve(2);
  ASSERT_TRUE(request);
  ASSERT_EQ(request->schedules.size(), 3u);
  EXPECT_TRUE(request->defaultSchedules);
  EXPECT_EQ(request->schedules[2].schedule, (Schedule{Schedule::Kind::Dynamic, 1}));
  EXPECT_EQ(request->base.maxActiveLevels, 1u);
  EXPECT_EQ(request->base.runtime, OmpRuntime::Libomp);
  EXPECT_EQ(request->base.waitPolicy, WaitPolicy::Default);
  EXPECT_FALSE(request->base.overheads.isNone());
}

TEST(Words, aScheduleAskedForTwiceIsEmulatedOnce) {
  PredictWords words;
  words.schedules = {"dynamic", "dynamic,1", "static"};
  EXPECT_EQ(words.resolve(2)->schedules.size(), 2u);
  EXPECT_FALSE(words.resolve(2)->defaultSchedules);
}

TEST(Words, aParadigmOfTasksHasNoSchedules) {
  PredictWords words;
  words.paradigm = "cilk";
  words.seed = "7";
  EXPECT_EQ(words.resolve(2)->base.paradigm, Paradigm::Cilk);
  EXPECT_EQ(words.resolve(2)->base.seed, 7u);
  ASSERT_EQ(words.resolve(2)->schedules.size(), 1u);
  EXPECT_EQ(words.resolve(2)->schedules[0].word(), "split");
  words.schedules = {"static"};
  EXPECT_EQ(words.resolve(2).error().message,
            "--schedule is of OpenMP's loops, and under --paradigm cilk loops are split into "
            "tasks; leave out one of the two");
}

TEST(Words, ofOpenMPsRuntimeAreNotForOtherRuntimes) {
  for (const char *paradigm : {"tbb", "cilk"})
    for (const std::vector<std::string> &methods :
         {std::vector<std::string>{}, {"ff", "synth"}, {"synth"}}) {
      PredictWords words;
      words.paradigm = paradigm;
      words.methods = methods;
      ASSERT_TRUE(words.resolve(2));
      EXPECT_EQ(words.resolve(2)->base.runtime, OmpRuntime::Libomp); // whose costs they are charged
      words.runtime = "libgomp";
      EXPECT_EQ(words.resolve(2).error().message,
                "--runtime is OpenMP's, and oneTBB and OpenCilk are runtimes of their own; leave "
                "it out");
    }
  PredictWords tasks;
  tasks.paradigm = "tasks";
  tasks.runtime = "libgomp";
  EXPECT_EQ(tasks.resolve(2)->base.runtime, OmpRuntime::Libgomp);
}

TEST(Words, synthHasOptionsOfItsOwn) {
  PredictWords words;
  EXPECT_TRUE(words.resolve(2)->emulate);
  EXPECT_FALSE(words.resolve(2)->synthesis);
  words.scale = "0.5";
  EXPECT_EQ(words.resolve(2).error().message,
            "--scale is of --method synth; add that, or leave it out");
  words.methods = {"synth"};
  words.delay = "virtual";
  words.timeLimit = "7";
  const auto request = words.resolve(3);
  EXPECT_FALSE(request->emulate);
  EXPECT_FALSE(request->outlook);
  EXPECT_EQ(request->synthesis->delay, Delay::Virtual);
  EXPECT_EQ(request->synthesis->seconds, 7);
  EXPECT_EQ(request->synthesis->scale, 0.5);
  EXPECT_EQ(request->synthesis->machineCores, 3u);
  for (const char *wrong : {"0", "1.5", "-1", "half", "0.5x"}) {
    words.scale = wrong;
    EXPECT_EQ(words.resolve(2).error().message,
              "--scale '" + std::string(wrong) +
                  "' is no share above 0 up to 1; write for example 0.1");
  }
}

/// What is said of `word` where it is given to --method synth alone; "" where that has an effect.
/// With ff beside it, it always has.
static std::string refusalOf(std::string PredictWords::*word, const char *value,
                             PredictWords words = {}) {
  words.*word = value;
  words.methods = {"ff", "synth"};
  EXPECT_TRUE(words.resolve(2)) << value;
  words.methods = {"synth"};
  const auto request = words.resolve(2);
  return request ? "" : request.error().message;
}

TEST(Words, thatDoNothingForSynthAreRefused) {
  PredictWords spinning, inVirtualTime;
  spinning.delay = "spin";
  inVirtualTime.delay = "virtual";
  EXPECT_EQ(refusalOf(&PredictWords::overheads, "none"), "");
  EXPECT_EQ(refusalOf(&PredictWords::overheads, "none", inVirtualTime), "");
  EXPECT_EQ(refusalOf(&PredictWords::overheads, "none", spinning),
            "--overheads has no effect with --delay spin, which has the real runtime's overheads; "
            "leave it out");
  EXPECT_EQ(refusalOf(&PredictWords::seed, "1"),
            "--seed is of --method ff, the real runtime draws its own; leave it out");
  EXPECT_EQ(refusalOf(&PredictWords::jobs, "2"),
            "--jobs is of --method ff, synth makes one run at a time; leave it out");
}

TEST(Words, aMachineFileIsForSynthWhereItHasALengthOfTurns) {
  PredictWords words;
  words.methods = {"synth"};
  words.machine = "not-there.json";
  EXPECT_EQ(words.resolve(2).error().message,
            "not-there.json: cannot be opened; 'prophet calibrate' writes a machine file");
  words.memory = "none"; // else its curves may burden the program
  words.delay = "spin";  // else there may be threads that are charged its overheads
  EXPECT_EQ(words.resolve(2).error().message,
            "--machine has no effect with --delay spin, which has the real runtime's overheads; "
            "leave it out");
  words.delay = "virtual";
  words.overheads = "none";
  EXPECT_EQ(words.resolve(2).error().message,
            "--machine has no effect beside --overheads; leave it out");
  words.overheads = "";
  words.delay = "spin";
  words.blockTime = "1";
  words.runtime = "libgomp";
  EXPECT_EQ(words.resolve(2).error().message,
            "not-there.json: cannot be opened; 'prophet calibrate' writes a machine file");
  EXPECT_EQ(refusalOf(&PredictWords::machine, "none"), "");
}

TEST(Words, ofHowOpenMPsThreadsWaitAreForThreadsThatDo) {
  EXPECT_EQ(refusalOf(&PredictWords::waitPolicy, "active"), "");
  PredictWords inVirtualTime, tbb, cilk;
  inVirtualTime.delay = "virtual";
  tbb.paradigm = "tbb";
  cilk.paradigm = "cilk";
  EXPECT_EQ(refusalOf(&PredictWords::waitPolicy, "active", inVirtualTime), "");
  inVirtualTime.overheads = "none";
  EXPECT_EQ(refusalOf(&PredictWords::waitPolicy, "active", inVirtualTime),
            "--wait-policy has no effect with --delay virtual and --overheads none, where waiting "
            "costs nothing; leave it out");
  EXPECT_EQ(refusalOf(&PredictWords::runtime, "libgomp", inVirtualTime), "");
  EXPECT_EQ(refusalOf(&PredictWords::waitPolicy, "active", tbb),
            "--wait-policy is OpenMP's, and oneTBB and OpenCilk are runtimes of their own; leave "
            "it out");
  cilk.blockTime = "1";
  EXPECT_TRUE(refusalOf(&PredictWords::threads, "2", cilk).starts_with("--block-time is OpenMP's"));
}

TEST(Words, thoseOfLaterVersionsAreRefusedByName) {
  PredictWords synth, gpu, html;
  synth.methods = {"ff", "magic"};
  gpu.paradigm = "gpu";
  html.format = "html";
  EXPECT_EQ(synth.resolve(2).error().message, "--method 'magic' is unknown; use ff, synth");
  EXPECT_EQ(gpu.resolve(2).error().message,
            "--paradigm 'gpu' is unknown; use openmp, tasks, tbb, cilk");
  EXPECT_EQ(html.resolve(2).error().message, "--format 'html' is unknown; use table, json, csv");
}

TEST(PredictWords, limitNestingInOneWay) {
  PredictWords words;
  words.nested = true;
  words.machine = "none";
  ASSERT_TRUE(words.resolve(2));
  EXPECT_EQ(words.resolve(2)->base.maxActiveLevels, 1u << 30);
  words.levels = "2";
  EXPECT_EQ(words.resolve(2).error().message,
            "--nested is no limit on nested parallelism, and --max-active-levels is one; leave out "
            "one of the two");
}
