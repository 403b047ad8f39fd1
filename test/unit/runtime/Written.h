//===- Written.h - What is written into a text -----------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/src/text.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

/// What `write` puts into the text that it is called with.
template <typename Function> std::string written(Function write) {
  std::string result;
  auto out = std::make_unique<text>();
  text_init(
      out.get(),
      [](void *to, const char *bytes, std::size_t size) {
        static_cast<std::string *>(to)->append(bytes, size);
        return true;
      },
      &result);
  write(out.get());
  EXPECT_TRUE(text_finish(out.get()));
  return result;
}
