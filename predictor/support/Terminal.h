//===- Terminal.h - Colour on a terminal --------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace prophet {

/// `--color`: as the terminal and NO_COLOR say, or as the user says.
enum class ColorMode : std::uint8_t { Auto, Always, Never };

/// Whether text for `fd` is coloured: Auto means a terminal, and NO_COLOR unset or empty.
bool useColor(ColorMode mode, int fd);

/// Puts emphasis on text, or leaves it alone where colour is off.
class Style {
public:
  explicit Style(bool color) : color(color) {}
  std::string bold(std::string_view text) const { return wrap("1", text); }
  std::string dim(std::string_view text) const { return wrap("2", text); }
  std::string good(std::string_view text) const { return wrap("1;32", text); }
  std::string warn(std::string_view text) const { return wrap("33", text); }

private:
  std::string wrap(std::string_view code, std::string_view text) const {
    if (!color)
      return std::string(text);
    return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
  }
  bool color;
};

} // namespace prophet
