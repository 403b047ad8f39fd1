//===- Plan.cpp - What an executor is to run ------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/Plan.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <stdexcept>

namespace synthesizer {

namespace {

constexpr std::pair<const char *, Sharing> words[] = {
    {"static", Sharing::Static},     {"static_chunk", Sharing::StaticChunk},
    {"dynamic", Sharing::Dynamic},   {"monotonic", Sharing::Monotonic},
    {"guided", Sharing::Guided},     {"auto", Sharing::Auto},
    {"sections", Sharing::Sections}, {"serial", Sharing::Serial},
    {"tasks", Sharing::Tasks},       {"taskloop", Sharing::Taskloop},
};

class Reader {
public:
  explicit Reader(std::string_view text) : text(text) {}

  Plan read() {
    expect("prophet-plan");
    number<int>(3, 3);
    expect("realtime");
    plan.realtime = number<int>(0, 1) == 1;
    expect("pin");
    plan.pin = number<unsigned>(0, 1u << 30);
    expect("locks");
    plan.locks = number<unsigned>(0, 1u << 30);
    expect("nodes");
    const auto nodes = number<std::uint32_t>(0, 1u << 30);
    while (plan.nodes.size() < nodes)
      readNode();
    expect("sites");
    const auto sites = number<unsigned>(0, 1u << 30);
    for (const auto &node : plan.nodes)
      if ((node.kind == Kind::Section || node.kind == Kind::Spawner) && node.ref >= sites)
        fail("site");
    readProgram();
    for (std::string_view word = next(); word != "end"; word = next())
      readRun(word, sites);
    return std::move(plan);
  }

  std::size_t line() const { return lines; }

private:
  std::string_view text; ///< from the present word on
  std::size_t lines = 1;
  Plan plan;

  [[noreturn]] static void fail(const std::string &what) { throw std::runtime_error(what); }

  /// The next word. Trees have millions of them.
  std::string_view next() {
    std::size_t begin = 0;
    for (; begin < text.size() && (text[begin] == ' ' || text[begin] == '\n'); ++begin)
      lines += text[begin] == '\n';
    const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
    if (begin == end)
      fail("it ends early");
    const std::string_view word = text.substr(begin, end - begin);
    text.remove_prefix(end);
    return word;
  }

  void expect(const char *word) {
    if (next() != word)
      fail(std::string("no '") + word + "'");
  }

  template <typename Number> Number number(Number least, Number most) {
    return toNumber(next(), least, most);
  }

  template <typename Number>
  static Number toNumber(std::string_view word, Number least, Number most) {
    Number value;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() ||
        !(least <= value && value <= most))
      fail("number");
    return value;
  }

  Time length() { return number<Time>(0, std::numeric_limits<Time>::max()); }

  void readNode() {
    const std::string_view word = next();
    Node node{word.size() == 1 ? static_cast<Kind>(word[0]) : Kind(), 0, 0, {}, {}, 0};
    switch (node.kind) {
    case Kind::Compute:
      node.length = length();
      break;
    case Kind::Locked:
      node.ref = lock();
      node.length = length();
      break;
    case Kind::Holds:
      node.ref = lock();
      readChildren(node, 1);
      break;
    case Kind::Section:
    case Kind::Spawner:
      node.ref = number<std::uint32_t>(0, 1u << 30);
      readChildren(node, 1);
      break;
    case Kind::Task:
      readChildren(node, 1);
      break;
    case Kind::Chain:
      readChildren(node, 0);
      break;
    default:
      fail("kind of node");
    }
    plan.nodes.push_back(std::move(node));
  }

  std::uint32_t lock() {
    if (plan.locks == 0)
      fail("lock");
    return number<std::uint32_t>(0, plan.locks - 1);
  }

  void readChildren(Node &node, std::int64_t least) {
    const auto count = number<std::uint32_t>(0, 1u << 30);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (plan.nodes.empty())
        fail("child");
      const auto child =
          number<std::uint32_t>(0, static_cast<std::uint32_t>(plan.nodes.size() - 1));
      node.children.push_back(
          {child, number<std::int64_t>(least, std::numeric_limits<std::int64_t>::max())});
      checkChild(node, node.children.back());
    }
  }

  void checkChild(Node &node, const Child &child) {
    const Kind kind = plan.nodes[child.node].kind;
    const bool fits = node.kind == Kind::Section ? kind == Kind::Task
                      : node.kind == Kind::Chain ? kind == Kind::Section
                                                 : node.kind == Kind::Spawner || kind != Kind::Task;
    if (!fits)
      fail("kind of child");
    if (node.kind != Kind::Section)
      return;
    if (child.number > std::numeric_limits<int>::max() - node.iterations)
      fail("more iterations than an int can count");
    node.first.push_back(node.iterations);
    node.iterations += static_cast<int>(child.number);
  }

  void readProgram() {
    expect("groups");
    plan.groups = number<unsigned>(0, 1u << 30);
    expect("program");
    plan.program.resize(number<std::uint32_t>(0, 1u << 30));
    if (plan.nodes.empty() && !plan.program.empty())
      fail("node");
    for (Item &item : plan.program) {
      item.node = number<std::uint32_t>(0, static_cast<std::uint32_t>(plan.nodes.size() - 1));
      item.repeat = number<std::int64_t>(0, std::numeric_limits<std::int64_t>::max());
      if (const std::string_view group = next(); group != "-") {
        if (plan.groups == 0)
          fail("group");
        item.group = toNumber<std::uint32_t>(group, 0, plan.groups - 1);
      }
    }
  }

  void readRun(std::string_view word, unsigned sites) {
    if (word != "run")
      fail("no 'run'");
    Run run{};
    const std::string_view delay = next();
    run.spin = delay == "spin";
    if (run.spin)
      run.nsPerUnit = number<double>(0, 1e300);
    else if (delay == "virtual")
      run.cores = number<unsigned>(1, 1u << 30);
    else
      fail("kind of delay");
    run.levels = number<int>(1, 1 << 30);
    while (run.sites.size() < sites)
      run.sites.push_back(readSite());
    if (!run.spin)
      readCosts(run);
    plan.runs.push_back(std::move(run));
  }

  void readCosts(Run &run) {
    expect("sleep");
    run.blockTime = number<double>(0, 1e300);
    expect("handoffs");
    run.locks.pair = length();
    run.locks.barges = number<int>(0, 1) == 1;
    const auto waiting = number<std::uint32_t>(0, 1u << 20);
    for (std::vector<Time> *costs : {&run.locks.spinning, &run.locks.asleep})
      while (costs->size() < waiting)
        costs->push_back(length());
    expect("teams");
    std::vector<int> sizes(number<std::uint32_t>(0, 1u << 20));
    for (int &size : sizes) {
      size = number<int>(1, 1 << 20);
      if (!run.teams.try_emplace(size).second)
        fail("size of a team");
    }
    for (const SiteSettings &site : run.sites)
      if (std::ranges::find(sizes, site.threads) == sizes.end())
        fail("size of a team");
    for (const int size : sizes) {
      run.teams[size].resize(run.sites.size());
      for (SiteCosts &site : run.teams[size])
        readCosts(site);
    }
  }

  void readCosts(SiteCosts &costs) {
    expect("costs");
    for (Time *cost : {&costs.spinning.fork, &costs.spinning.join, &costs.asleep.fork,
                       &costs.asleep.join, &costs.create, &costs.steal, &costs.wait})
      *cost = length();
    for (LoopCosts *loop : {&costs.few, &costs.many})
      for (Time *cost : {&loop->start, &loop->chunk, &loop->turn})
        *cost = length();
    costs.enough = number<int>(0, std::numeric_limits<int>::max());
    costs.region = length();
    costs.chunk = length();
    costs.chunkSize = number<int>(0, std::numeric_limits<int>::max());
    costs.task = length();
    costs.tasksEnd = length();
    costs.pieces = number<int>(0, std::numeric_limits<int>::max());
  }

  SiteSettings readSite() {
    const std::string_view word = next();
    for (const auto &[name, sharing] : ::synthesizer::words)
      if (word == name) {
        const int chunk = number<int>(0, std::numeric_limits<int>::max());
        const int threads = number<int>(1, 1 << 20);
        return {sharing, chunk, threads, number<double>(0, 1e300)};
      }
    fail("schedule");
  }
};

} // namespace

std::optional<Plan> readPlan(std::string_view text, std::string &problem) {
  Reader reader(text);
  try {
    return reader.read();
  } catch (const std::runtime_error &error) {
    problem = "line " + std::to_string(reader.line()) + ": " + error.what();
    return std::nullopt;
  }
}

} // namespace synthesizer
