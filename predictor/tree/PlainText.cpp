//===- PlainText.cpp - The tokens of plain JSON ---------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/tree/PlainText.h"

#include <charconv>

namespace prophet {

/// Reads more behind the text from `keep` on; \returns whether there is more.
bool PlainText::refill(const char *&keep) {
  const std::string_view next = source.next();
  if (next.empty())
    return false;
  text.erase(0, static_cast<std::size_t>(keep - text.data()));
  text += next;
  keep = cursor = text.c_str();
  limit = cursor + text.size();
  return true;
}

bool PlainText::word(std::string_view word) {
  while (static_cast<std::size_t>(limit - cursor) < word.size())
    if (!refill(cursor))
      return false;
  if (std::string_view(cursor, word.size()) != word)
    return false;
  cursor += word.size();
  return true;
}

/// Unicode's table of well-formed sequences (3-7).
bool PlainText::isUtf8(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  for (std::size_t at = 0; at < text.size();) {
    const unsigned lead = byte(at++);
    if (lead < 0x80)
      continue;
    const unsigned more = lead < 0xC2 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : lead < 0xF5 ? 3 : 0;
    if (more == 0 || text.size() - at < more)
      return false;
    const unsigned least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (byte(at) < least || byte(at) > most)
      return false;
    for (unsigned n = 1; n < more; ++n)
      if ((byte(at + n) & 0xC0) != 0x80)
        return false;
    at += more;
  }
  return true;
}

static const char *skipDigits(const char *at) {
  while (*at >= '0' && *at <= '9')
    ++at;
  return at;
}

/// The number at `begin` (RFC 8259): where it ends, and where its whole part does. Null for none.
static std::pair<const char *, const char *> spanNumber(const char *begin) {
  const char *first = begin + (*begin == '-');
  const char *whole = skipDigits(first);
  const char *end = whole;
  if (whole == first || (*first == '0' && whole > first + 1))
    return {};
  if (*end == '.') {
    const char *fraction = end + 1;
    if ((end = skipDigits(fraction)) == fraction)
      return {};
  }
  if (*end == 'e' || *end == 'E') {
    const char *power = end + 1;
    power += *power == '+' || *power == '-';
    if ((end = skipDigits(power)) == power)
      return {};
  }
  return {whole, end};
}

std::optional<PlainText::Number> PlainText::longNumber() {
  constexpr int longest = 512;
  while (limit - cursor < longest && refill(cursor))
    ;
  const auto [whole, end] = spanNumber(cursor);
  if (!end || end - cursor >= longest)
    return std::nullopt;
  Number result{whole == end && *cursor != '-', 0, 0};
  if (whole == end && end - cursor > 18)
    return std::nullopt;
  const auto [stop, error] = result.isCount ? std::from_chars(cursor, end, result.count)
                                            : std::from_chars(cursor, end, result.value);
  if (error != std::errc() || stop != end)
    return std::nullopt;
  cursor = end;
  return result;
}

} // namespace prophet
