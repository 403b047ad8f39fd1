//===- Recording.h - A recorder fed with literal ticks ---------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Written.h"
#include "runtime/src/recorder.h"
#include "runtime/src/tree_writer.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>

/// A recorder whose clock is moved by hand, and its tree read back from the file's text.
class Recording {
public:
  explicit Recording(std::uint32_t tolerancePpm = 0, std::uint64_t noise = 1) {
    if (!recorder_init(&recorder, tolerancePpm, 1000))
      std::abort();
    recorder.merging = merging_make(tolerancePpm, noise);
  }
  ~Recording() { recorder_destroy(&recorder); }
  Recording(const Recording &) = delete;

  static constexpr const char *outer = "parallel_for|dir/fig4.c|1|loop1|";
  static constexpr const char *inner = "parallel_for|dir/fig4.c|9|loop2|";
  static constexpr const char *spawner = "tasks|dir/fib.c|3|fib|";

  /// Lets the program compute for `ticks`.
  Recording &run(std::uint64_t ticks) {
    now += ticks;
    return *this;
  }
  unsigned section(const char *site = outer, std::uintptr_t stack = 0) {
    return recorder_section_begin(&recorder, site, stack, now);
  }
  void endSection(unsigned handle) { recorder_section_end(&recorder, handle, now); }
  unsigned task() { return recorder_task_begin(&recorder, now); }
  void endTask(unsigned handle) { recorder_task_end(&recorder, handle, now); }
  unsigned lock(const char *name = "m") { return recorder_lock_begin(&recorder, name, now); }
  void endLock(unsigned handle) { recorder_lock_end(&recorder, handle, now); }
  unsigned spawn(unsigned &tasks, const char *site = spawner) {
    return recorder_spawn_begin(&recorder, &tasks, site, 0, now);
  }
  /// The last event has taken `ticks` of its own.
  void skip(std::uint64_t ticks) { recorder_skip(&recorder, now - ticks, now); }
  void endTasks(unsigned &tasks) { recorder_tasks_end(&recorder, &tasks, now); }
  void pause() { recorder_pause(&recorder, now); }
  void resume() { recorder_resume(&recorder, now); }

  /// A task that computes for `ticks`.
  void work(std::uint64_t ticks) {
    unsigned handle = task();
    run(ticks).endTask(handle);
  }
  /// A spawned one.
  void spawnWork(unsigned &tasks, std::uint64_t ticks) {
    unsigned handle = spawn(tasks);
    run(ticks).endTask(handle);
  }

  /// Ends the recording; returns the file.
  const nlohmann::json &finish() {
    open = recorder_close(&recorder, now);
    const tree_header header = {1000000000, true, "app\0x\0", 6, "2026-01-01T00:00:00Z",
                                "cpu",      2,    55,         0, counters};
    tree = nlohmann::json::parse(
        written([&](struct text *out) { tree_write(out, &recorder, &header); }));
    return tree;
  }

  /// The tree as text: U(ticks), L<lock>(ticks), L<lock>[..], task[..], s<site>[..], with "n*" for
  /// repeats.
  std::string show() {
    finish();
    return show(tree["root"]);
  }

  /// Sum of all lengths, repeats expanded.
  double total() { return length(tree["root"]); }

  struct recorder recorder;
  const struct counters *counters = nullptr; ///< that the file is to show
  nlohmann::json tree;
  unsigned open = 0; ///< constructs that finish() had to close

private:
  std::string show(std::size_t id) const {
    const auto &node = tree["nodes"][id];
    std::string kind = node["kind"], text = kind;
    if (kind == "L")
      text += node["lock"].dump();
    if (kind == "section")
      text = "s" + node["site"].dump();
    if (node.contains("length"))
      return text + "(" + node["length"].dump() + ")";
    text += "[";
    for (const auto &child : node["children"]) {
      text += text.back() == '[' ? "" : " ";
      if (child[1] != 1)
        text += child[1].dump() + "*";
      text += show(child[0]);
    }
    return text + "]";
  }

  double length(std::size_t id) const {
    const auto &node = tree["nodes"][id];
    if (node.contains("length"))
      return node["length"];
    double sum = 0;
    for (const auto &child : node["children"])
      sum += child[1].get<double>() * length(child[0]);
    return sum;
  }

  std::uint64_t now = 1000;
};
