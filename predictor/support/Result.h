//===- Result.h - A value or an error ---------------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The project's one error type. Tools return it up to `main`, which prints it
// once; the pure core (emulator, models) takes validated input and asserts.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace prophet {

/// What went wrong with the user's input, in one line that names the cure:
/// "FILE: what is wrong; what to do".
struct Error {
  std::string message;
};

/// A `T`, or the reason why there is none.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : storage(std::move(value)) {}
  Result(Error error) : storage(std::move(error)) {}

  explicit operator bool() const { return std::holds_alternative<T>(storage); }

  T &operator*() {
    assert(*this && "no value");
    return *std::get_if<T>(&storage);
  }
  const T &operator*() const {
    assert(*this && "no value");
    return *std::get_if<T>(&storage);
  }
  T *operator->() { return &**this; }
  const T *operator->() const { return &**this; }

  const Error &error() const {
    assert(!*this && "no error");
    return *std::get_if<Error>(&storage);
  }

private:
  std::variant<T, Error> storage;
};

} // namespace prophet
