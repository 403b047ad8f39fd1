//===- PredictOptions.cpp - The words of a prediction -----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/PredictOptions.h"

#include "predictor/emulator/WrittenClauses.h"
#include "predictor/support/Text.h"
#include "predictor/verbs/BodyRatios.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace prophet {

std::vector<unsigned> defaultThreads(unsigned machineCores) {
  std::vector<unsigned> threads;
  for (unsigned n = 2; n <= std::min(2 * machineCores, MaxThreads); n *= 2)
    threads.push_back(n);
  return threads;
}

Result<ScheduleChoice> parseSchedule(std::string_view text) {
  if (text == "auto")
    return ScheduleChoice{{}, ScheduleChoice::Kind::Best};
  if (text == "written")
    return ScheduleChoice{{}, ScheduleChoice::Kind::Written};
  const auto colon = text.find(':');
  const std::string_view modifier = colon == text.npos ? "" : text.substr(0, colon);
  const std::string_view plain = text.substr(colon == text.npos ? 0 : colon + 1);
  const auto comma = plain.find(',');
  const std::string_view kind = plain.substr(0, comma);
  const bool hasChunk = comma != plain.npos;
  const bool isModified = modifier == "monotonic" || modifier == "nonmonotonic";
  if ((kind != "static" && kind != "dynamic" && kind != "guided") ||
      (colon != text.npos && !(isModified && kind == "dynamic")))
    return Error{
        fmt::format("--schedule '{}' is unknown; use static, static,CHUNK, "
                    "dynamic,CHUNK, monotonic:dynamic,CHUNK, guided,CHUNK, written or auto",
                    printable(text))};
  ScheduleChoice choice;
  choice.schedule.monotonic = modifier == "monotonic";
  if (hasChunk) {
    auto chunk = parseChunk(plain.substr(comma + 1));
    if (!chunk)
      return Error{"--schedule: " + chunk.error().message + "; write for example dynamic,4"};
    choice.schedule.chunk = *chunk;
  }
  if (kind != "static") {
    choice.schedule.kind = kind == "dynamic" ? Schedule::Kind::Dynamic : Schedule::Kind::Guided;
    choice.schedule.chunk = std::max<std::uint64_t>(choice.schedule.chunk, 1);
  } else if (hasChunk) {
    choice.schedule.kind = Schedule::Kind::StaticChunk;
  }
  return choice;
}

namespace {
/// A word and what it means.
template <typename T> struct Choice {
  std::string_view word;
  T value;
};
} // namespace

/// The value of `word` among `choices`; the first where `word` is empty.
template <typename T>
static Result<T> choose(std::string_view option, std::string_view word,
                        std::initializer_list<Choice<T>> choices) {
  std::string known;
  for (const auto &[name, value] : choices) {
    if (word.empty() || word == name)
      return value;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", name);
  }
  return Error{fmt::format("{} '{}' is unknown; use {}", option, printable(word), known)};
}

Result<ColorMode> parseColor(std::string_view text) {
  return choose<ColorMode>(
      "--color", text,
      {{"auto", ColorMode::Auto}, {"always", ColorMode::Always}, {"never", ColorMode::Never}});
}

namespace {
/// Collects values and the first error.
struct Resolver {
  std::optional<Error> error;

  template <typename T, typename U> void set(U &target, Result<T> value) {
    if (value)
      target = static_cast<U>(*value);
    else if (!error)
      error = value.error();
  }

  /// A number that keeps its default where nothing was typed.
  void count(unsigned &target, std::string_view option, const std::string &word, unsigned most) {
    if (word.empty())
      return;
    auto value = parseCount(word, option, 1, most);
    set(target, value ? value : Error{value.error().message + "; see 'prophet predict --help'"});
  }
};
} // namespace

/// Milliseconds, in ns; "infinite".
static Result<double> parseBlockTime(const std::string &word) {
  if (word == "infinite")
    return std::numeric_limits<double>::infinity();
  const char *end = word.data() + word.size();
  double ms = -1;
  const auto [stop, code] = std::from_chars(word.data(), end, ms); // no sign, no hexadecimal
  constexpr double most = 1e9;                                     // eleven days
  if (stop != end || code != std::errc() || std::signbit(ms) || !(ms <= most))
    return Error{fmt::format("--block-time '{}' is no time in milliseconds; write for example 200, "
                             "or infinite",
                             printable(word))};
  return ms * 1e6;
}

/// The schedules asked for, each once; the paper's three where none is.
static Result<std::vector<ScheduleChoice>> resolveSchedules(const std::vector<std::string> &words) {
  if (words.empty())
    return defaultSchedules();
  std::vector<ScheduleChoice> choices;
  for (const std::string &word : words) {
    auto choice = parseSchedule(word);
    if (!choice)
      return choice.error();
    if (std::find(choices.begin(), choices.end(), *choice) == choices.end())
      choices.push_back(*choice);
  }
  return choices;
}

/// A share of more than nothing, up to the whole.
static Result<double> parseScale(const std::string &word) {
  const char *end = word.data() + word.size();
  double share = 0;
  const auto [stop, code] = std::from_chars(word.data(), end, share);
  if (stop != end || code != std::errc() || !(share > 0 && share <= 1))
    return Error{fmt::format("--scale '{}' is no share above 0 up to 1; write for example 0.1",
                             printable(word))};
  return share;
}

std::optional<Error> PredictWords::chooseMethods(PredictRequest &request,
                                                 unsigned machineCores) const {
  bool synth = false;
  request.emulate = methods.empty();
  for (const std::string &method : methods) {
    const auto isSynth = choose<bool>("--method", method, {{"ff", false}, {"synth", true}});
    if (!isSynth)
      return isSynth.error();
    (*isSynth ? synth : request.emulate) = true;
  }
  if (!synth) {
    for (const auto &[option, word] :
         {std::pair("--delay", &delay), {"--time-limit", &timeLimit}, {"--scale", &scale}})
      if (!word->empty())
        return Error{fmt::format("{} is of --method synth; add that, or leave it out", option)};
    return std::nullopt;
  }
  SynthesisRequest &synthesis = request.synthesis.emplace();
  synthesis.machineCores = machineCores;
  Resolver resolver;
  if (!delay.empty())
    resolver.set(
        synthesis.delay,
        choose<Delay>("--delay", delay, {{"spin", Delay::Spin}, {"virtual", Delay::Virtual}}));
  unsigned seconds = 30;
  resolver.count(seconds, "--time-limit", timeLimit, 1000000);
  synthesis.seconds = seconds;
  if (!scale.empty())
    resolver.set(synthesis.scale, parseScale(scale));
  if (!request.emulate && !resolver.error)
    return refuseUseless(request);
  return resolver.error;
}

static constexpr const char *ofOpenMP =
    "is OpenMP's, and oneTBB and OpenCilk are runtimes of their own";

/// Options that were given and have no effect where the real runtime alone runs the tree.
std::optional<Error> PredictWords::refuseUseless(PredictRequest &request) const {
  SynthesisRequest &synthesis = *request.synthesis;
  const bool charges = synthesis.delay != Delay::Spin; // some runs, possibly
  const bool waitsForFree = synthesis.delay == Delay::Virtual && overheads == "none";
  const bool hasRuntime = isOpenMP(request.base.paradigm);
  // libgomp's block time is counted in turns, whose length a machine file has.
  const bool countsTurns = blockTime && request.base.runtime == OmpRuntime::Libgomp && hasRuntime;
  const bool models = request.memory == MemoryMode::Curve || request.memory == MemoryMode::Paper ||
                      request.memory == MemoryMode::Auto;
  const bool hasOtherUse = models || countsTurns;
  const char *spin = "has no effect with --delay spin, which has the real runtime's overheads";
  const char *costsNothing =
      "has no effect with --delay virtual and --overheads none, where waiting costs nothing";
  struct Option {
    const char *name;
    bool isGiven, hasEffect;
    const char *why;
  };
  for (const Option &option :
       {Option{"--overheads", !overheads.empty(), charges || countsTurns, spin},
        Option{"--machine", !machine.empty(), (charges && overheads.empty()) || hasOtherUse,
               overheads.empty() ? spin : "has no effect beside --overheads"},
        Option{"--seed", !seed.empty(), false, "is of --method ff, the real runtime draws its own"},
        Option{"--jobs", !jobs.empty(), false, "is of --method ff, synth makes one run at a time"},
        Option{"--wait-policy", !waitPolicy.empty(), hasRuntime, ofOpenMP},
        Option{"--block-time", blockTime.has_value(), hasRuntime, ofOpenMP},
        Option{"--wait-policy", !waitPolicy.empty(), !waitsForFree, costsNothing},
        Option{"--block-time", blockTime.has_value(), !waitsForFree, costsNothing}})
    if (option.isGiven && !option.hasEffect)
      return Error{fmt::format("{} {}; leave it out", option.name, option.why)};
  if (!overheads.empty() && !countsTurns)
    synthesis.forOverheads = "--overheads";
  else if (!machine.empty() && !hasOtherUse)
    synthesis.forOverheads = "--machine";
  return std::nullopt;
}

/// Under a paradigm of tasks: no schedules, and words that have no effect there.
std::optional<Error> PredictWords::splitLoops(PredictRequest &request) const {
  const Paradigm paradigm = request.base.paradigm;
  if (paradigm == Paradigm::OpenMP)
    return std::nullopt;
  request.schedules = {ScheduleChoice{{}, ScheduleChoice::Kind::Split}};
  request.defaultSchedules = false;
  if (!schedules.empty())
    return Error{fmt::format("--schedule is of OpenMP's loops, and under --paradigm {} loops are "
                             "split into tasks; leave out one of the two",
                             paradigmName(paradigm))};
  if (!runtime.empty() && !isOpenMP(paradigm))
    return Error{fmt::format("--runtime {}; leave it out", ofOpenMP)};
  return std::nullopt;
}

Result<PredictRequest> PredictWords::resolve(unsigned machineCores,
                                             const std::string &defaultMachine) const {
  PredictRequest request;
  EmulationOptions &base = request.base;
  Resolver resolver;
  request.threads = defaultThreads(machineCores);
  request.jobs = machineCores;
  if (std::string list = threads; !list.empty()) {
    std::ranges::replace(list, '\n', ','); // given twice, it is one list
    resolver.set(request.threads, parseThreadList(list));
  }
  resolver.set(request.schedules, resolveSchedules(schedules));
  request.defaultSchedules = schedules.empty();
  resolver.count(base.cores, "--cores", cores, MaxThreads);
  resolver.count(base.maxActiveLevels, "--max-active-levels", levels, 1u << 30);
  resolver.count(request.jobs, "--jobs", jobs, 1024);
  if (nested && !levels.empty() && !resolver.error)
    resolver.error = Error{"--nested is no limit on nested parallelism, and --max-active-levels is "
                           "one; leave out one of the two"};
  if (nested)
    base.maxActiveLevels = 1u << 30;
  resolver.set(base.runtime, choose<OmpRuntime>("--runtime", runtime,
                                                {{"libomp", OmpRuntime::Libomp},
                                                 {"libgomp", OmpRuntime::Libgomp}}));
  resolver.set(base.waitPolicy, choose<WaitPolicy>("--wait-policy", waitPolicy,
                                                   {{"default", WaitPolicy::Default},
                                                    {"active", WaitPolicy::Active},
                                                    {"passive", WaitPolicy::Passive}}));
  if (blockTime)
    resolver.set(base.givenBlockTime, parseBlockTime(*blockTime));
  resolver.set(request.memory, choose<MemoryMode>("--memory", memory,
                                                  {{"auto", MemoryMode::Auto},
                                                   {"none", MemoryMode::None},
                                                   {"burden", MemoryMode::Burden},
                                                   {"paper", MemoryMode::Paper},
                                                   {"curve", MemoryMode::Curve}}));
  resolver.set(request.format, choose<OutputFormat>("--format", format,
                                                    {{"table", OutputFormat::Table},
                                                     {"json", OutputFormat::Json},
                                                     {"csv", OutputFormat::Csv}}));
  resolver.set(request.color, parseColor(color));
  resolver.set(base.paradigm, choose<Paradigm>("--paradigm", paradigm,
                                               {{"openmp", Paradigm::OpenMP},
                                                {"tasks", Paradigm::Tasks},
                                                {"tbb", Paradigm::Tbb},
                                                {"cilk", Paradigm::Cilk}}));
  if (auto error = splitLoops(request); error && !resolver.error)
    resolver.error = std::move(error);
  unsigned seedCount = 1;
  resolver.count(seedCount, "--seed", seed, 1u << 30);
  base.seed = seedCount;
  if (auto error = chooseMethods(request, machineCores); error && !resolver.error)
    resolver.error = std::move(error);
  if (auto error = chooseOverheads(request, defaultMachine); error && !resolver.error)
    resolver.error = std::move(error);
  if (auto error = chooseMachine(request, defaultMachine); error && !resolver.error)
    resolver.error = std::move(error);
  if (auto error = chooseProfile(request); error && !resolver.error)
    resolver.error = std::move(error);
  request.validation = validation;
  if (auto error = checkValidation(validation, base.paradigm); error && !resolver.error)
    resolver.error = std::move(error);
  for (const std::string &text : whatIfs) {
    auto whatIf = parseWhatIf(text);
    if (whatIf)
      request.whatIfs.push_back(std::move(*whatIf));
    else if (!resolver.error)
      resolver.error = whatIf.error();
  }
  request.site = site;
  request.quiet = quiet;
  request.outlook = request.emulate && (request.format == OutputFormat::Json ||
                                        (request.format == OutputFormat::Table && !quiet));
  if (resolver.error)
    return *resolver.error;
  return request;
}

} // namespace prophet
