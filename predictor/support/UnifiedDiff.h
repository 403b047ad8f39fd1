//===- UnifiedDiff.h - The difference of two texts ----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   --- app.c
//   +++ app.c
//   @@ -1,2 +1,2 @@
//   -#pragma prophet parallel for
//   +#pragma omp parallel for
//    for (...)
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>
#include <string_view>

namespace prophet {

/// What `patch` takes; empty where the texts are equal. `name` is that of both files.
std::string unifiedDiff(const std::string &name, std::string_view before, std::string_view after);

} // namespace prophet
