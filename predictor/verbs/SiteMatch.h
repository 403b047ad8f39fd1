//===- SiteMatch.h - The sites of two files about one program ---*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Other builds of a program, and other runs, may know other sites of it, in
// another order. Sites are the same if they are in the same place of the source.
// The builds may have been made in different folders, so of files of one name the
// path counts from its end.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/tree/Tree.h"

#include <cstddef>
#include <string>
#include <vector>

namespace prophet {

/// How many of the last parts of two paths are the same.
std::ptrdiff_t commonEnd(const std::string &a, const std::string &b);

/// Whether another site of `tree`, alike but for its folder, is nearer to `file` than `site` is.
bool isAnothers(const std::string &file, const Site &site, const Tree &tree);

/// "'rows' (a.c:3)", for messages.
std::string placeOf(const Site &site);

/// The one of `others`, which have a name, a kind, a file and a line, that is site number `number`
/// of `tree`; or nothing.
template <typename Other>
const Other *findSite(std::size_t number, const Tree &tree, const std::vector<Other> &others) {
  const Site &site = tree.sites[number];
  const Other *found = nullptr;
  std::ptrdiff_t most = 0;
  for (const Other &other : others) {
    if (other.name != site.name || other.kind != kindName(site.kind) || other.line != site.line)
      continue;
    const std::ptrdiff_t common = commonEnd(other.file, site.file);
    if (common > most || (!found && other.file == site.file)) {
      found = &other;
      most = common;
    }
  }
  return found && !isAnothers(found->file, site, tree) ? found : nullptr;
}

} // namespace prophet
