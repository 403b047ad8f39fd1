//===- WrittenClauses.cpp - What the programmer wrote on the sites --------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/WrittenClauses.h"

#include "predictor/support/Text.h"

#include <algorithm>

namespace prophet {

namespace {

std::string withoutBlanks(std::string_view text) {
  std::string kept(text);
  std::erase(kept, ' ');
  return kept;
}

/// One site's clauses, on their way to settings.
class Reader {
public:
  Reader(const Site &site, OmpRuntime runtime, WrittenClauses &result)
      : site(site), runtime(runtime), result(result) {}

  Result<SiteSettings> read() {
    SiteSettings settings;
    if (site.kind == SiteKind::ParallelFor && !site.schedule.empty()) {
      auto schedule = readSchedule(withoutBlanks(site.schedule));
      if (!schedule)
        return schedule.error();
      settings.schedule = *schedule;
    }
    const std::string threads = withoutBlanks(numThreadsClause(site));
    if (threads.empty())
      return settings;
    const auto count = parseCount(threads, "num_threads", 1, MaxThreads);
    if (!count)
      return unknown("num_threads(" + threads + ")", "is no number from 1 to 65536");
    settings.numThreads = static_cast<unsigned>(*count);
    return settings;
  }

private:
  const Site &site;
  OmpRuntime runtime;
  WrittenClauses &result;

  std::string title() const { return "site '" + printable(site.name) + "'"; }

  Error unknown(std::string clause, const char *why) const {
    return Error{title() + ": " + printable(clause, 60) + " " + why};
  }

  Result<Schedule> readSchedule(std::string_view text) {
    const std::string clause = "schedule(" + std::string(text) + ")";
    Schedule schedule;
    if (const auto colon = text.find(':'); colon != text.npos) {
      const std::string_view modifier = text.substr(0, colon);
      if (modifier != "monotonic" && modifier != "nonmonotonic")
        return unknown(clause, "is not emulated by this version");
      schedule.monotonic = modifier == "monotonic";
      text.remove_prefix(colon + 1);
    }
    const auto comma = text.find(',');
    const std::string_view kind = text.substr(0, comma);
    if (kind == "static" || kind == "dynamic" || kind == "guided") {
      if (comma != text.npos) {
        const auto chunk = parseChunk(text.substr(comma + 1));
        if (!chunk)
          return unknown(clause, "has a chunk that is no number");
        schedule.chunk = *chunk;
      }
      return finished(schedule, kind == "static"    ? Schedule::Kind::Static
                                : kind == "dynamic" ? Schedule::Kind::Dynamic
                                                    : Schedule::Kind::Guided);
    }
    if (kind == "runtime")
      return leftOpen(schedule);
    // libgomp maps auto to static (loop.c), libomp to a kind of guided (__kmp_auto in
    // kmp_global.cpp).
    if (kind == "auto" && comma == text.npos)
      return runtime == OmpRuntime::Libgomp ? Schedule{} : Schedule{Schedule::Kind::Auto};
    return unknown(clause, "is not emulated by this version");
  }

  static Schedule finished(Schedule schedule, Schedule::Kind kind) {
    schedule.kind = kind;
    if (kind != Schedule::Kind::Dynamic)
      schedule.monotonic = false; // static and guided always are
    if (kind != Schedule::Kind::Static)
      schedule.chunk = std::max<std::uint64_t>(schedule.chunk, 1);
    else if (schedule.chunk > 0)
      schedule.kind = Schedule::Kind::StaticChunk;
    return schedule;
  }

  /// schedule(runtime) where nothing sets OMP_SCHEDULE.
  Schedule leftOpen(Schedule schedule) {
    schedule = finished(schedule, runtime == OmpRuntime::Libgomp ? Schedule::Kind::Dynamic
                                                                 : Schedule::Kind::Static);
    result.assumptions.push_back(
        title() + ": schedule(runtime) is taken as " + schedule.str() + ", what " +
        (runtime == OmpRuntime::Libgomp ? "libgomp" : "libomp") + " does without OMP_SCHEDULE");
    return schedule;
  }
};

/// By site: whether the profile has a section of it.
std::vector<bool> sitesThatRan(const Tree &tree) {
  std::vector<bool> ran(tree.sites.size());
  for (const Node &node : tree.nodes)
    if (node.kind == NodeKind::Section)
      ran[node.ref] = true;
  return ran;
}

} // namespace

bool hasWrittenClauses(const Tree &tree) {
  return std::any_of(tree.sites.begin(), tree.sites.end(), [](const Site &site) {
    const bool scheduled = !site.schedule.empty() && withoutBlanks(site.schedule) != "runtime";
    return (scheduled && site.kind == SiteKind::ParallelFor) || !numThreadsClause(site).empty();
  });
}

Result<WrittenClauses> readWrittenClauses(const Tree &tree, OmpRuntime runtime,
                                          std::optional<std::uint32_t> onlySite) {
  const std::vector<bool> ran = sitesThatRan(tree);
  WrittenClauses result;
  for (std::uint32_t id = 0; id < tree.sites.size(); ++id) {
    SiteSettings &settings = result.sites.emplace_back();
    if (!ran[id] || (onlySite && *onlySite != id))
      continue;
    const auto read = Reader(tree.sites[id], runtime, result).read();
    if (!read)
      return read.error();
    settings = *read;
  }
  return result;
}

std::string_view numThreadsClause(const Site &site) {
  static constexpr std::string_view Name = "num_threads(";
  const std::string_view clauses = site.vars;
  int depth = 0;
  for (std::size_t at = 0; at < clauses.size(); ++at) {
    if (depth == 0 && (at == 0 || clauses[at - 1] == ' ') && clauses.substr(at).starts_with(Name)) {
      const std::string_view rest = clauses.substr(at + Name.size());
      std::size_t end = 0;
      for (int open = 1; end < rest.size(); ++end)
        if ((open += (rest[end] == '(') - (rest[end] == ')')) == 0)
          break;
      return rest.substr(0, end);
    }
    depth += (clauses[at] == '(') - (clauses[at] == ')');
  }
  return {};
}

Result<std::uint64_t> parseChunk(std::string_view text) {
  return parseCount(text, "chunk", 1, std::uint64_t(1) << 62);
}

} // namespace prophet
