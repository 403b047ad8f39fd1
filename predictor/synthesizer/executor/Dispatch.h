//===- Dispatch.h - When the runtime is asked for a chunk -------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What compilers make of a loop calls the runtime for every chunk, which the loop's
// body does not see. The executor has functions of these names of its own, which
// call the runtime's.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace synthesizer {

class DispatchListener {
public:
  /// The calling thread is about to ask the runtime for a chunk.
  virtual void asks() = 0;
  /// It has got one.
  virtual void takes() = 0;

protected:
  ~DispatchListener() = default;
};

/// Of the loop that the thread is in; null: nobody listens.
extern thread_local DispatchListener *dispatchListener;

} // namespace synthesizer
