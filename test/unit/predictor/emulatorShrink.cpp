//===- emulatorShrink.cpp - The smallest program that fails ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorPrograms.h"

#include <sstream>

namespace prophet::test {

namespace {

/// Without the nodes that the root does not reach.
Tree prune(const Tree &tree) {
  std::vector<bool> reached(tree.nodes.size());
  reached[tree.root] = true;
  for (NodeId id = tree.root + 1; id-- > 0;)
    if (reached[id])
      for (const Child &child : tree.childrenOf(id))
        reached[child.node] = true;
  Tree pruned = tree;
  pruned.nodes.clear();
  pruned.children.clear();
  std::vector<NodeId> renamed(tree.nodes.size());
  for (NodeId id = 0; id <= tree.root; ++id) {
    if (!reached[id])
      continue;
    renamed[id] = static_cast<NodeId>(pruned.nodes.size());
    Node &node = pruned.nodes.emplace_back(tree.nodes[id]);
    node.firstChild = pruned.children.size();
    for (const Child &child : tree.childrenOf(id))
      pruned.children.push_back({renamed[child.node], child.repeat});
  }
  pruned.root = renamed[tree.root];
  return pruned;
}

/// `tree` without child number `index`, or with that child's own children in its place.
Tree without(const Tree &tree, std::size_t index, bool keepChildren) {
  Tree smaller = tree;
  const auto at = smaller.children.begin() + static_cast<std::ptrdiff_t>(index);
  std::vector<Child> kept;
  if (keepChildren)
    kept.assign(tree.childrenOf(at->node).begin(), tree.childrenOf(at->node).end());
  smaller.children.insert(smaller.children.erase(at), kept.begin(), kept.end());
  for (Node &node : smaller.nodes) {
    if (node.firstChild > index)
      node.firstChild += kept.size() - 1;
    else if (index < node.firstChild + node.childCount)
      node.childCount += kept.size() - 1;
  }
  return prune(smaller);
}

class Shrinker {
public:
  Shrinker(Program program, const std::function<bool(const Program &)> &fails)
      : best(std::move(program)), fails(fails) {
    best.tree = prune(best.tree);
  }

  Program run() {
    while (shrinkOptions() || shrinkChildren() || shrinkNodes())
      ;
    return best;
  }

private:
  Program best;
  const std::function<bool(const Program &)> &fails;

  bool tryThis(const Program &smaller) {
    if (!fails(smaller))
      return false;
    best = smaller;
    return true;
  }

  /// Whether something failed that `change` made simpler.
  template <typename Change> bool tryChange(const Change &change) {
    Program changed = best;
    return change(changed) && tryThis(changed);
  }
  template <typename Value> static bool set(Value &what, const Value &value) {
    const bool isNew = !(what == value);
    what = value;
    return isNew;
  }

  bool shrinkOptions() {
    const EmulationOptions plain;
    bool any = false;
    any |= tryChange([&](Program &p) { return set(p.options.sites, {}); });
    any |= tryChange([&](Program &p) { return set(p.options.onlySite, {}); });
    any |= tryChange([&](Program &p) { return set(p.options.exceptSite, {}); });
    any |= tryChange([&](Program &p) { return set(p.options.schedule, plain.schedule); });
    any |= tryChange([&](Program &p) { return set(p.options.runtime, plain.runtime); });
    any |= tryChange([&](Program &p) { return set(p.options.cores, 1000u); });
    any |= tryChange([&](Program &p) { return p.options.maxActiveLevels-- > 1; });
    any |= tryChange([&](Program &p) { return p.options.threads-- > 1; });
    for (std::size_t site = 0; site < best.tree.sites.size(); ++site) {
      any |= tryChange([&](Program &p) { return set(p.tree.sites[site].nowait, false); });
      any |= tryChange([&](Program &p) {
        SiteKind &kind = p.tree.sites[site].kind; // one of tasks has more than tasks in it
        return kind == SiteKind::Sections && set(kind, SiteKind::ParallelFor);
      });
    }
    for (std::size_t site = 0; site < best.options.sites.size(); ++site)
      any |= tryChange([&](Program &p) { return set(p.options.sites[site], {}); });
    return any;
  }

  bool shrinkChildren() {
    bool any = false;
    for (std::size_t i = 0; i < best.tree.children.size(); ++i) {
      for (std::uint64_t less :
           {std::uint64_t{1}, best.tree.children[i].repeat / 2, best.tree.children[i].repeat - 1})
        any |= tryChange([&](Program &p) {
          std::uint64_t &repeat = p.tree.children[i].repeat;
          return less > 0 && less < repeat && set(repeat, less);
        });
      const NodeKind kind = best.tree.nodes[best.tree.children[i].node].kind;
      if (tryThis({without(best.tree, i, false), best.options}) ||
          (kind == NodeKind::L && best.tree.nodes[best.tree.children[i].node].childCount > 0 &&
           tryThis({without(best.tree, i, true), best.options}))) {
        any = true;
        --i;
      }
    }
    return any;
  }

  bool shrinkNodes() {
    bool any = false;
    for (NodeId id = 0; id < best.tree.nodes.size(); ++id)
      for (double divisor : {1e9, 1000.0, 10.0, 2.0})
        any |= tryChange([&](Program &p) {
          double &length = p.tree.nodes[id].length;
          const auto shorter = static_cast<double>(static_cast<std::uint64_t>(length / divisor));
          return shorter < length && set(length, shorter);
        });
    return any;
  }
};

void printNode(std::ostream &out, const Tree &tree, NodeId id) {
  static constexpr const char *kinds[] = {"U", "L", "task", "section", "root"};
  const Node &node = tree.nodes[id];
  out << "{\"kind\": \"" << kinds[static_cast<int>(node.kind)] << '"';
  if (node.kind == NodeKind::L)
    out << ", \"lock\": " << node.ref;
  if (node.kind == NodeKind::Section)
    out << ", \"site\": " << node.ref;
  const bool isLength = node.kind == NodeKind::U || (node.kind == NodeKind::L && !node.childCount);
  if (isLength) {
    out << ", \"length\": " << node.length << '}';
    return;
  }
  out << ", \"children\": [";
  for (const Child &child : tree.childrenOf(id))
    out << (&child == tree.childrenOf(id).data() ? "[" : ", [") << child.node << ", "
        << child.repeat << ']';
  out << "]}";
}

} // namespace

Program shrink(Program program, const std::function<bool(const Program &)> &fails) {
  return Shrinker(std::move(program), fails).run();
}

/// In ticks, what constructs that need no others cost the widest team.
static void printCosts(std::ostream &out, const Program &program) {
  const EmulationOptions &options = program.options;
  const Overheads &costs = options.overheads;
  const auto print = [&](const char *name, const TeamCost &cost) {
    out << ' ' << name << ' ' << cost.at(options.widestTeam()) * program.tree.timebaseHz * 1e-9;
  };
  out << "\ncosts:";
  print("fork", costs.active.fork);
  print("join", costs.active.join);
  print("fork asleep", costs.passive.fork);
  print("join asleep", costs.passive.join);
  print("free lock", costs.lockPair);
  print("create", costs.tasks.create);
  print("steal", costs.tasks.steal);
  print("wait", costs.tasks.wait);
  out << ", asleep after " << options.blockTime() * program.tree.timebaseHz * 1e-9;
}

std::string print(const Program &program) {
  const auto &[tree, options] = program;
  std::ostringstream out;
  out.precision(17);
  out << "{\"format\": \"prophet-program-tree\", \"version\": 1, \"timebase_hz\": "
      << tree.timebaseHz << ", \"complete\": true,\n \"sites\": [";
  for (std::uint32_t site = 0; site < tree.sites.size(); ++site) {
    out << (site ? ",\n  " : "") << "{\"name\": \"" << tree.sites[site].name << "\", \"kind\": \""
        << kindName(tree.sites[site].kind)
        << "\", \"nowait\": " << (tree.sites[site].nowait ? "true" : "false");
    if (!options.sites.empty())
      out << ", \"schedule\": \"" << options.sites[site].schedule.str() << '"';
    if (!options.sites.empty() && options.sites[site].numThreads)
      out << ", \"vars\": \"num_threads(" << options.sites[site].numThreads << ")\"";
    out << '}';
  }
  out << "],\n \"locks\": [";
  for (std::size_t lock = 0; lock < tree.locks.size(); ++lock)
    out << (lock ? ", \"" : "\"") << tree.locks[lock] << '"';
  out << "],\n \"nodes\": [";
  for (NodeId id = 0; id <= tree.root; ++id) {
    out << (id ? ",\n  " : "");
    printNode(out, tree, id);
  }
  out << "],\n \"root\": " << tree.root << "}\n--threads " << options.threads << " --cores "
      << options.cores << " --max-active-levels " << options.maxActiveLevels << " --runtime "
      << (options.runtime == OmpRuntime::Libgomp ? "libgomp" : "libomp") << " --schedule "
      << (options.sites.empty() ? options.schedule.str() : "written");
  if (options.paradigm != Paradigm::OpenMP || options.seed != 1)
    out << " --paradigm " << paradigmName(options.paradigm) << " --seed " << options.seed;
  if (options.onlySite)
    out << ", only site " << *options.onlySite << " parallel";
  if (options.exceptSite)
    out << ", site " << *options.exceptSite << " serial";
  if (!options.overheads.isNone())
    printCosts(out, program);
  return out.str();
}

} // namespace prophet::test
