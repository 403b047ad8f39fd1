//===- MeasuredProfile.h - A memory profile that tests fill -----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Written.h"
#include "runtime/memory/memory_profile.h"
#include "runtime/memory/memory_writer.h"

#include <gtest/gtest.h>
#include <memory>
#include <nlohmann/json.hpp>

enum { Read = 2 * PROPHET_MEMORY_STREAM, Write = Read + 1 };
inline const char *const Site = "parallel_for|a.c|3|rows|";

/// `level`: as memory_init's.
class Profile {
public:
  explicit Profile(int level) : m(std::make_unique<memory_profile>()) {
    EXPECT_TRUE(memory_init(m.get(), level));
  }
  ~Profile() { memory_destroy(m.get()); }
  memory_profile *operator->() { return m.get(); }
  operator memory_profile *() { return m.get(); }

  void use(std::uint64_t line, unsigned kind) {
    memory_count(m.get(), kind, 1);
    if (reuse_hash(line) < m->threshold)
      memory_event(m.get(), line, kind);
  }

  const memory_site &site() { return m->views[0].sites[MEMORY_FIRST]; }

  double misses(std::uint64_t lines) {
    double sum = 0;
    for (unsigned kind = 0; kind < PROPHET_MEMORY_KINDS; ++kind) {
      sum += static_cast<double>(site().cold[kind]);
      for (std::uint32_t bin = 0; bin < BINS; ++bin)
        if (bin_end(bin) >= lines)
          sum += static_cast<double>(site().reuse[kind][bin]);
    }
    return sum;
  }

private:
  std::unique_ptr<memory_profile> m;
};

/// The file of a profile that has ended.
inline nlohmann::json writtenProfile(memory_profile *m, bool complete = true) {
  const memory_header header{complete, "./app\0x", 8, "2026-01-01T00:00:00Z", 0};
  return nlohmann::json::parse(::written([&](struct text *out) { memory_write(out, m, &header); }));
}
