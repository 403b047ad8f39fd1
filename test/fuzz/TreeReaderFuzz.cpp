//===- TreeReaderFuzz.cpp - Program trees from a fuzzer ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A libFuzzer target: whatever the bytes, the reader gives a tree that keeps
// every rule of the format or one error line. Run it from the build tree with
//
//   test/fuzz/tree-reader-fuzz -dict=SOURCE/test/fuzz/tree.dict CORPUS SOURCE/test/predictor/Inputs
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/TreeReaderCheck.h"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  prophet::checkReader({reinterpret_cast<const char *>(data), size});
  return 0;
}
