//===- SiteNames.h - What users call sites ----------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Result.h"
#include "predictor/tree/Tree.h"

#include <string>
#include <vector>

namespace prophet {

/// The sites that `name` names: a name, "file:line", or, where neither is, an index. Several only
/// where they are at one place. The error has no file name in front.
Result<std::vector<std::uint32_t>> findSites(const Tree &tree, const std::string &name);

} // namespace prophet
