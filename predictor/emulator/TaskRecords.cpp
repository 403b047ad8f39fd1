//===- TaskRecords.cpp - Who created whom ---------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/TaskRecords.h"

namespace prophet {

std::uint32_t TaskRecords::takeRoot() {
  const std::uint32_t id = records.take();
  records[id] = {id, 0, id, 0};
  return id;
}

/// Two jumps of equal length from the parent become one jump over both.
std::uint32_t TaskRecords::takeChild(std::uint32_t parent) {
  const std::uint32_t id = records.take();
  const TaskRecord above = records[parent], far = records[above.jump];
  const bool isEqual = above.span == far.span;
  records[id] = {parent, above.level + 1, isEqual ? far.jump : parent,
                 isEqual ? 1 + above.span + far.span : 1};
  return id;
}

bool TaskRecords::descends(std::uint32_t id, std::uint32_t ancestor) const {
  const std::uint32_t level = records[ancestor].level;
  while (id != ancestor && records[id].level > level) {
    const TaskRecord &record = records[id];
    id = record.level - record.span >= level ? record.jump : record.parent;
  }
  return id == ancestor;
}

} // namespace prophet
