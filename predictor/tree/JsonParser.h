//===- JsonParser.h - The events of a JSON text -----------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RapidJSON for program trees: they have millions of nodes, reading them is
// most of what a user waits for, and nlohmann::json takes twice as long.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/tree/JsonStream.h"

#include <rapidjson/reader.h>
#include <string_view>

namespace prophet {

/// What RapidJSON calls the events that `Events` is told of.
template <typename Events> struct JsonHandler {
  Events &events;
  bool isLoneSurrogate = false; ///< an escape was half a character, which RapidJSON lets pass

  bool Null() { return events.null(); }
  bool Bool(bool value) { return events.boolean(value); }
  bool Int(int value) { return events.number(value); } // below 0
  bool Uint(unsigned value) { return events.count(value); }
  bool Int64(std::int64_t value) { return events.number(static_cast<double>(value)); }
  bool Uint64(std::uint64_t value) { return events.count(value); }
  bool Double(double value) { return events.number(value); }
  bool RawNumber(const char *, rapidjson::SizeType, bool) { return false; } // by a flag only
  bool String(const char *text, rapidjson::SizeType size, bool) {
    return isText({text, size}) && events.string(std::string_view(text, size));
  }
  bool Key(const char *text, rapidjson::SizeType size, bool) {
    return isText({text, size}) && events.key(std::string_view(text, size));
  }
  bool StartObject() { return events.beginObject(); }
  bool EndObject(rapidjson::SizeType) { return events.endObject(); }
  bool StartArray() { return events.beginArray(); }
  bool EndArray(rapidjson::SizeType) { return events.endArray(); }

  bool isText(std::string_view utf8) {
    for (std::size_t at = 0; (at = utf8.find('\xED', at)) != utf8.npos; ++at)
      isLoneSurrogate |= static_cast<unsigned char>(utf8[at + 1]) >= 0xA0; // well-formed otherwise
    return !isLoneSurrogate;
  }
};

/// Tells `events` of everything in a text that is one JSON value (RFC 8259). An event that returns
/// false ends the parse. Nothing recurses, however deep the brackets are.
/// \returns what is wrong with the text, if anything: see JsonStream::describe.
template <typename Events> std::string parseJson(ByteSource &source, Events &events) {
  constexpr unsigned flags = rapidjson::kParseIterativeFlag | rapidjson::kParseFullPrecisionFlag |
                             rapidjson::kParseValidateEncodingFlag;
  JsonStream stream(source);
  JsonHandler<Events> handler{events, false};
  rapidjson::Reader reader;
  const rapidjson::ParseResult result = reader.Parse<flags>(stream, handler);
  if (handler.isLoneSurrogate)
    return stream.describe(rapidjson::kParseErrorStringUnicodeSurrogateInvalid, result.Offset());
  if (result.Code() == rapidjson::kParseErrorTermination)
    return {};
  if (result.IsError())
    return stream.describe(result.Code(), result.Offset());
  if (!stream.atEnd()) // a byte of 0, which RapidJSON takes for the end
    return stream.describe(rapidjson::kParseErrorDocumentRootNotSingular, stream.Tell());
  return {};
}

} // namespace prophet
