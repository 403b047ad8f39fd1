//===- PlainJson.h - The events of plain JSON, fast -------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Trees are large and are written by programs, which write plain JSON: this reader
// takes a fifth of the time of JsonParser.h. It knows only what it is sure of; at
// the first thing else it gives up, and JsonParser.h reads the text from its
// beginning and says what is wrong with it, if anything.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/tree/PlainText.h"

#include <utility>
#include <vector>

namespace prophet {

template <typename Events> class PlainJson {
public:
  PlainJson(ByteSource &source, Events &events) : text(source), events(events) {}

  /// Tells `events` of everything in the text. \returns whether it is one JSON value and plain.
  bool parse() {
    if (!value())
      return false;
    while (!open.empty())
      if (!step())
        return false;
    return text.peek() == 0 && text.atEnd();
  }

private:
  PlainText text;
  Events &events;
  std::vector<char> open; ///< brackets
  bool isFirst = false;   ///< nothing stands in the innermost bracket yet

  /// A value, of an array or object its bracket.
  bool value() {
    switch (text.peek()) {
    case '{':
      begin('{');
      return events.beginObject();
    case '[':
      begin('[');
      return events.beginArray();
    case '"': {
      const auto string = text.string();
      return string && events.string(*string);
    }
    case 't':
      return text.word("true") && events.boolean(true);
    case 'f':
      return text.word("false") && events.boolean(false);
    case 'n':
      return text.word("null") && events.null();
    default: {
      const auto number = text.number();
      return number &&
             (number->isCount ? events.count(number->count) : events.number(number->value));
    }
    }
  }

  void begin(char bracket) {
    text.take();
    open.push_back(bracket);
    isFirst = true;
  }

  /// Passes by what stands between two values: whether `close` ends the bracket there, or nothing
  /// where neither that nor a comma does.
  std::optional<bool> next(char close) {
    const bool wasFirst = std::exchange(isFirst, false);
    const char sign = text.peek();
    if (sign != close && sign != ',')
      return wasFirst ? std::optional(false) : std::nullopt;
    text.take();
    if (sign != close && wasFirst)
      return std::nullopt;
    return sign == close;
  }

  /// What follows in the innermost bracket: a value, or its end.
  bool step() {
    const bool isObject = open.back() == '{';
    const auto ended = next(isObject ? '}' : ']');
    if (!ended || !*ended)
      return ended && (isObject ? pair() : value());
    open.pop_back();
    return isObject ? events.endObject() : events.endArray();
  }

  bool pair() {
    if (text.peek() != '"')
      return false;
    const auto key = text.string();
    if (!key || !events.key(*key) || text.peek() != ':')
      return false;
    text.take();
    return value();
  }
};

} // namespace prophet
