//===- PredictWords.cpp - The options of a prediction, declared -----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/PredictOptions.h"

#include <CLI/CLI.hpp>

namespace prophet {

namespace {

/// Declares options of one word each.
struct Words {
  CLI::App &app;

  void operator()(const char *name, std::string &value, const char *type, const char *help) const {
    app.add_option(name, value, help)->type_name(type)->group("Prediction");
  }
};

} // namespace

void PredictWords::declareModel(CLI::App &app) {
  const Words word{app};
  word("--paradigm", paradigm, "P",
       "openmp (default): loops, and tasks where the program has them | tasks | tbb | cilk: tasks "
       "for loops too");
  word("--seed", seed, "N",
       "Of what is random: whom threads steal tasks from, which cores they share (default 1)");
  word("--cores", cores, "N", "Cores they run on (default: as many as threads)");
  word("--runtime", runtime, "R",
       "libomp (default) | libgomp: whose schedule(dynamic) and (guided)");
  word("--wait-policy", waitPolicy, "W",
       "default: as the runtime does where OMP_WAIT_POLICY is not set | active | passive: spin or "
       "sleep to wait");
  app.add_option_function<std::string>(
         "--block-time", [this](const std::string &value) { blockTime = value; },
         "How long a waiting thread spins before it sleeps, or infinite (default: the runtime's)")
      ->type_name("MS")
      ->group("Prediction");
  word("--max-active-levels", levels, "K", "Levels of nested parallelism (default 1, OpenMP's)");
  app.add_flag("--nested", nested, "No limit on nested parallelism")->group("Prediction");
  word("--overheads", overheads, "FILE",
       "A table of OpenMP's own costs, or none (default: the machine file's)");
  word("--machine", machine, "FILE",
       "What 'prophet calibrate' measured, here or elsewhere; westmere: the paper's machine, of "
       "which memory is built in; or none: typical overheads (default: this user's machine file, "
       "where there is one)");
  word("--memory", memory, "M",
       "auto (default): the first that there is of burden: the factors that the tree carries | "
       "curve: by a memory profile or counted misses, and the machine's bandwidth-latency curves | "
       "paper: by counted misses and its coefficients | none");
  word("--memory-profile", memoryProfile, "FILE",
       "How the program uses memory, as a build with -fplugin-arg-prophet-memory writes it "
       "(default: APP.prophet-memory.json beside APP.prophet.json, where it is there)");
  word("--validation", validation, "FILE",
       "What 'prophet validate' measured of the OpenMP build: how much longer loop bodies take on "
       "one thread; or none (default: APP.prophet-validation.json beside APP.prophet.json, where "
       "it is there)");
  word("--site", site, "NAME", "Only the site of this name is parallel");
}

void PredictWords::declare(CLI::App &app) {
  const Words word{app};
  auto list = [&](const char *name, std::vector<std::string> &values, const char *type,
                  const char *help) {
    app.add_option(name, values, help)
        ->type_name(type)
        ->group("Prediction")
        ->allow_extra_args(false);
  };
  app.add_option(
         "--threads", threads,
         "2,4,8 or 1-16 or 4-64:4 (default: powers of two up to twice this machine's cores)")
      ->type_name("LIST")
      ->group("Prediction")
      ->multi_option_policy(CLI::MultiOptionPolicy::Join); // by line feeds
  list("--schedule", schedules, "S",
       "static | static,CHUNK | [monotonic:]dynamic[,CHUNK] | guided[,CHUNK] | written = each "
       "site's own clauses | auto = the best of the default three; repeatable (default: static, "
       "static,1 and "
       "dynamic,1, and written where there are clauses)");
  declareModel(app);
  list("--what-if", whatIfs, "CHANGE",
       "Also predict the program with 'lock NAME=0', 'site NAME: tasks=4x, length=0.25x', "
       "'serial=0.5x', 'overhead=0', or several joined by ';'; repeatable");
  list("--method", methods, "M",
       "ff (default): fast-forward emulation | synth: the real runtime runs the tree; repeatable");
  word(
      "--delay", delay, "D",
      "synth: computation is a busy loop on this machine's cores (spin), or virtual time (virtual) "
      "for any number of threads (default: spin where there are the cores)");
  word("--time-limit", timeLimit, "SECONDS",
       "synth: for how long runs are repeated, for each --what-if anew; what takes twice as long "
       "is stopped (default 30)");
  word("--scale", scale, "SHARE",
       "synth: the share of each site's executions that is run for all, e.g. 0.1 (default 1)");
  word("--jobs", jobs, "N", "Estimates computed at a time (default: this machine's cores)");
  app.add_option("--format", format, "table (default) | json | csv")
      ->type_name("F")
      ->group("Output");
  app.add_option("--color", color, "auto (default, obeys NO_COLOR) | always | never")
      ->type_name("WHEN")
      ->group("Output");
  app.add_flag("--quiet", quiet, "Figures only: no warnings, advice or notes")->group("Output");
}

} // namespace prophet
