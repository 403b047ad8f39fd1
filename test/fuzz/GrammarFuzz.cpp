//===- GrammarFuzz.cpp - Pragma lines from a fuzzer -----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A libFuzzer target: whatever the tokens, the grammar gives a directive or one
// problem, and OpenMP's a directive or none. Run it from the build tree with
//
//   test/fuzz/grammar-fuzz -max_len=64 CORPUS
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/GrammarCheck.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char *>(data), size);
  prophet::checkGrammar(bytes);
  prophet::checkOpenMPGrammar(bytes);
  return 0;
}
