//===- TreeBuilder.h - JSON events to a tree ----------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The JSON parser calls a TreeBuilder for every token of a file. Only the
// current object is held; a node goes into the tree when it ends. A table in
// TreeBuilder.cpp says which fields each object has and of which type.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/tree/Tree.h"
#include "predictor/tree/TreeFields.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace prophet {

class TreeBuilder {
public:
  using State = format::State;
  using Field = format::Field;
  using Type = format::Type;

  // What parseJson tells; false stops it.
  bool null() { return scalar({Type::Null}); }
  bool boolean(bool value) { return scalar({Type::Boolean, value}); }
  bool count(std::uint64_t value) {
    return scalar({Type::Count, false, static_cast<double>(value), value});
  }
  bool number(double value);
  bool string(std::string_view value) { return scalar({Type::String, false, 0, 0, value}); }
  bool key(std::string_view name);
  bool beginObject() { return open(Type::Object); }
  bool endObject() { return close(); }
  bool beginArray() { return open(Type::Array); }
  bool endArray() { return close(); }

  /// "what is wrong; what to do", if anything is, once the parser is done, which found `syntax`.
  std::optional<std::string> problem(const std::string &syntax) const;
  /// The tree. \pre no problem
  Tree take() { return std::move(tree); }

private:
  static_assert(static_cast<unsigned>(Field::LockIndex) < 64);
  static constexpr std::uint64_t bit(Field field) {
    return std::uint64_t(1) << static_cast<unsigned>(field);
  }

  struct Scalar {
    Type type;
    bool flag = false;
    double number = 0;       ///< Number and Count
    std::uint64_t count = 0; ///< Count
    std::string_view text{};
  };

  bool open(Type bracket);
  bool close();
  bool scalar(const Scalar &value);
  bool accepts(Type type);
  void begin(State object);

  bool setTop(const Scalar &value);
  bool setProfiler(const Scalar &value);
  bool setSite(const Scalar &value);
  bool setMemory(const Scalar &value);
  bool setNode(const Scalar &value);
  bool setBurden(const Scalar &value);
  bool addElement(const Scalar &value);
  bool endSite();
  bool endNode();
  bool endChild();

  bool fail(std::string what);
  bool refuse(std::string what);
  bool isIdentified() const;
  static std::uint64_t requiredFields(NodeKind kind);
  std::string where() const;
  std::uint64_t &seenHere() { return state == State::Top ? seenTop : seen; }

  Tree tree;
  State state = State::Document;
  Field field = Field::Unknown;
  std::uint64_t seen = 0;      ///< fields of the current inner object
  std::uint64_t seenTop = 0;   ///< fields of the outermost object
  std::uint64_t depth = 0;     ///< open brackets
  std::uint64_t skipDepth = 0; ///< open brackets of a value that is ignored
  Node node{};
  Site site;
  std::uint64_t pair[2] = {};
  unsigned pairSize = 0;
  unsigned burdenThreads = 0;
  std::string identity;     ///< why this is no program tree of a known version
  std::string firstProblem; ///< the first broken rule
};

} // namespace prophet
