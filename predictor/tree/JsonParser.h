//===- JsonParser.h - The events of a JSON text -------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/tree/JsonLexer.h"

#include <vector>

namespace prophet {

/// Tells `Events` of everything in a text that is one JSON value. An event that returns false ends
/// the parse. Nothing here recurses: a level of brackets costs one bit.
template <typename Events> class JsonParser {
public:
  JsonParser(ByteSource &source, Events &events) : lexer(source), events(events) {}

  /// \returns what is wrong with the text, if anything: see JsonLexer::problem.
  std::string parse() {
    token = lexer.next();
    while (value() && behindValue())
      ;
    return lexer.problem();
  }

private:
  JsonLexer lexer;
  Events &events;
  JsonToken token = JsonToken::End;
  std::vector<bool> objects; ///< by level: whether it is an object, else an array
  bool isOpen = false;       ///< the last value is a bracket whose first value `token` is

  /// The value that starts at `token`, or its opening bracket.
  bool value() {
    isOpen = false;
    switch (token) {
    case JsonToken::BeginObject:
      return events.beginObject() && open(true);
    case JsonToken::BeginArray:
      return events.beginArray() && open(false);
    case JsonToken::String:
      return events.string(lexer.text());
    case JsonToken::Count:
      return events.count(lexer.count());
    case JsonToken::Number:
      return events.number(lexer.number());
    case JsonToken::True:
    case JsonToken::False:
      return events.boolean(token == JsonToken::True);
    case JsonToken::Null:
      return events.null();
    default:
      return refuse("a value");
    }
  }

  bool open(bool isObject) {
    token = lexer.next();
    if (token == (isObject ? JsonToken::EndObject : JsonToken::EndArray))
      return isObject ? events.endObject() : events.endArray();
    objects.push_back(isObject);
    isOpen = true;
    return !isObject || key();
  }

  /// The key at `token`, and the colon; `token` then is where its value starts.
  bool key() {
    if (token != JsonToken::String)
      return refuse("a key");
    if (!events.key(lexer.text()))
      return false;
    token = lexer.next();
    if (token != JsonToken::Colon)
      return refuse("':'");
    token = lexer.next();
    return true;
  }

  /// Up to where the next value starts; false where there is none.
  bool behindValue() {
    while (!isOpen) {
      token = lexer.next();
      if (objects.empty())
        return token != JsonToken::End && refuse("nothing behind the outermost value");
      const bool inObject = objects.back();
      if (token == JsonToken::Comma) {
        token = lexer.next();
        return !inObject || key();
      }
      if (token != (inObject ? JsonToken::EndObject : JsonToken::EndArray))
        return refuse(inObject ? "',' or '}'" : "',' or ']'");
      objects.pop_back();
      if (!(inObject ? events.endObject() : events.endArray()))
        return false;
    }
    return true;
  }

  bool refuse(const char *expected) {
    lexer.refuse(token, expected);
    return false;
  }
};

} // namespace prophet
