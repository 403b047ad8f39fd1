//===- MemoryProfileReader.cpp - Reading a memory profile -----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/MemoryProfile.h"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <prophet/memory_format.h>
#include <prophet/tree_format.h>

namespace prophet::memmodel {

using nlohmann::json;

namespace {

constexpr std::uint64_t MostDistance = std::uint64_t(1) << 40;

/// What is wrong with the file; caught where it is read.
struct Malformed {
  std::string what;
};

/// A value and where it is: `sites[2].classes.stream`.
class Place {
public:
  Place(const json &value, std::string path) : value(value), path(std::move(path)) {}

  [[noreturn]] void fail(const std::string &what) const {
    throw Malformed{(path.empty() ? "the profile" : path) + " " + what};
  }

  Place operator[](const char *key) const {
    if (!value.is_object())
      fail("is not an object");
    const auto found = value.find(key);
    if (found == value.end())
      fail(std::string("has no '") + key + "'");
    return {*found, path.empty() ? key : path + "." + key};
  }

  /// The same, where it may not be there.
  std::optional<Place> find(const char *key) const {
    const auto found = value.is_object() ? value.find(key) : value.end();
    if (!value.is_object() || found == value.end())
      return std::nullopt;
    return Place(*found, path.empty() ? key : path + "." + key);
  }

  std::vector<Place> elements() const {
    if (!value.is_array())
      fail("is not an array");
    std::vector<Place> all;
    for (const json &element : value)
      all.emplace_back(element, path + "[" + std::to_string(all.size()) + "]");
    return all;
  }

  std::uint64_t count() const {
    if (!value.is_number_unsigned())
      fail("is not a whole number from 0 on");
    return value.get<std::uint64_t>();
  }

  double share() const {
    const double number = value.is_number() ? value.get<double>() : -1;
    if (!(number > 0 && number <= 1))
      fail("is not a number above 0, at most 1");
    return number;
  }

  std::string text() const {
    if (!value.is_string())
      fail("is not a string");
    return value.get<std::string>();
  }

  bool truth() const {
    if (!value.is_boolean())
      fail("is not true or false");
    return value.get<bool>();
  }

  /// The value itself, for another reader.
  const json &raw() const { return value; }
  const std::string &name() const { return path; }

private:
  const json &value;
  std::string path;
};

/// Bins of which the file has the ends.
struct Bins {
  std::uint64_t exact, perOctave;

  explicit Bins(const Place &place)
      : exact(place[PROPHET_KEY_EXACT].count()), perOctave(place[PROPHET_KEY_PER_OCTAVE].count()) {
    if (!std::has_single_bit(perOctave) || !std::has_single_bit(exact) || exact < perOctave ||
        exact > MostDistance)
      place.fail("must be powers of two, 'exact' the larger one");
  }

  std::uint64_t first(std::uint64_t last) const {
    return last < exact ? last : last + 1 - std::bit_floor(last) / perOctave;
  }
};

DistanceHistogram readHistogram(const Place &pairs, const Bins &bins) {
  DistanceHistogram histogram;
  std::uint64_t next = 0;
  for (const Place &pair : pairs.elements()) {
    const std::vector<Place> both = pair.elements();
    if (both.size() != 2)
      pair.fail("is not [distance, count]");
    const std::uint64_t last = both[0].count();
    if (last < next || last > MostDistance || bins.first(last) < next)
      both[0].fail("is not a bin's end behind the one before it");
    histogram.add(bins.first(last), last, static_cast<double>(both[1].count()));
    next = last + 1;
  }
  return histogram;
}

ClassUse readClass(const Place &place, const Bins &bins) {
  const Place writes = place[PROPHET_KEY_WRITES];
  return {static_cast<double>(place[PROPHET_KEY_COLD].count()),
          static_cast<double>(writes[PROPHET_KEY_COLD].count()),
          readHistogram(place[PROPHET_KEY_REUSE], bins),
          readHistogram(writes[PROPHET_KEY_REUSE], bins)};
}

SiteUse readUse(const Place &place, const Bins &bins, unsigned lineBytes) {
  static constexpr const char *names[accessClasses] = PROPHET_MEMORY_CLASS_NAMES;
  SiteUse use;
  use.lineBytes = lineBytes;
  const Place accesses = place[PROPHET_KEY_ACCESSES];
  use.reads = static_cast<double>(accesses[PROPHET_KEY_READS].count());
  use.writes = static_cast<double>(accesses[PROPHET_KEY_WRITES].count());
  if (const auto flops = place.find(PROPHET_KEY_FLOPS))
    use.flops = static_cast<double>(flops->count());
  if (const auto instructions = place.find(PROPHET_KEY_INSTRUCTIONS))
    use.instructions = static_cast<double>(instructions->count());
  if (const auto chained = place.find(PROPHET_KEY_CHAINED))
    use.chained = static_cast<double>(chained->count());
  if (const auto lines = place.find(PROPHET_KEY_READ_FIRST))
    use.readFirst = static_cast<double>(lines->count());
  for (std::size_t i = 0; i < accessClasses; ++i)
    use.classes[i] = readClass(place[PROPHET_KEY_CLASSES][names[i]], bins);
  const Place written = place[PROPHET_KEY_WRITEBACKS];
  use.neverWrittenBack = static_cast<double>(written[PROPHET_KEY_NEVER].count());
  use.writebacks = readHistogram(written[PROPHET_KEY_REUSE], bins);
  return use;
}

SiteUse readSite(const Place &place, const Bins &bins, unsigned lineBytes) {
  SiteUse use = readUse(place, bins, lineBytes);
  use.name = place[PROPHET_KEY_NAME].text();
  use.kind = place[PROPHET_KEY_KIND].text();
  use.file = place[PROPHET_KEY_FILE].text();
  use.line = place[PROPHET_KEY_LINE].count();
  use.executions = place[PROPHET_KEY_EXECUTIONS].count();
  return use;
}

AccessLog readLog(const json &text, std::size_t sites, const std::string &where = "") {
  std::string problem;
  auto log = readAccessLog(text, sites, problem);
  if (!log)
    throw Malformed{where + problem};
  return *std::move(log);
}

InnerSite readInner(const Place &place, const Bins &bins, unsigned lineBytes) {
  InnerSite site{readSite(place, bins, lineBytes), std::nullopt};
  if (const auto log = place.find(PROPHET_KEY_LOG))
    site.log = readLog(log->raw(), 1, place.name() + ": ");
  return site;
}

/// What was run; nothing where the file does not have it.
std::vector<std::string> readCommand(const Place &whole) {
  std::vector<std::string> command;
  if (const auto program = whole.find(PROPHET_KEY_PROGRAM))
    if (const auto words = program->find(PROPHET_KEY_COMMAND))
      for (const Place &word : words->elements())
        command.push_back(word.text());
  return command;
}

MemoryProfile readProfile(const Place &whole) {
  if (whole[PROPHET_KEY_FORMAT].text() != PROPHET_MEMORY_FORMAT)
    whole.fail("is not a '" PROPHET_MEMORY_FORMAT "'");
  const std::uint64_t version = whole[PROPHET_KEY_VERSION].count();
  if (version != PROPHET_MEMORY_VERSION)
    whole.fail("has version " + std::to_string(version) + ", and this Prophet reads version 1");
  const Place line = whole[PROPHET_KEY_LINE_BYTES];
  if (!std::has_single_bit(line.count()) || line.count() > 4096)
    line.fail("is not a line's size in bytes");
  const auto lineBytes = static_cast<unsigned>(line.count());
  const Bins bins(whole[PROPHET_KEY_BINS]);
  MemoryProfile profile;
  profile.complete = whole[PROPHET_KEY_COMPLETE].truth();
  profile.rate = whole[PROPHET_KEY_RATE].share();
  profile.sampledLines = whole[PROPHET_KEY_SAMPLED_LINES].count();
  for (const Place &site : whole[PROPHET_KEY_SITES].elements())
    profile.sites.push_back(readSite(site, bins, lineBytes));
  profile.command = readCommand(whole);
  profile.outside = readUse(whole[PROPHET_KEY_OUTSIDE], bins, lineBytes);
  if (const auto log = whole.find(PROPHET_KEY_LOG))
    profile.log = readLog(log->raw(), profile.sites.size());
  if (const auto inner = whole.find(PROPHET_KEY_INNER))
    for (const Place &site : inner->elements())
      profile.inner.push_back(readInner(site, bins, lineBytes));
  return profile;
}

} // namespace

std::optional<MemoryProfile> readMemoryProfile(std::string_view text, std::string &problem) {
  try {
    const json whole = json::parse(text);
    return readProfile(Place(whole, ""));
  } catch (const json::parse_error &error) {
    const std::string_view before = text.substr(0, error.byte ? error.byte - 1 : 0);
    problem = "line " + std::to_string(std::count(before.begin(), before.end(), '\n') + 1) +
              ", column " + std::to_string(before.size() - (before.rfind('\n') + 1) + 1) +
              ": not JSON, or cut off";
  } catch (const json::exception &) {
    problem = "has a number that is out of range";
  } catch (const Malformed &error) {
    problem = error.what;
  }
  return std::nullopt;
}

} // namespace prophet::memmodel
