//===- PrivateItems.cpp - What clauses give each thread for its own -------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/PrivateItems.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using llvm::StringRef;

namespace prophet {
namespace {

/// Where `Separator` first stands outside of all brackets; ':' not as one of "::".
size_t findOutside(StringRef Text, char Separator) {
  unsigned Depth = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    if (Separator == ':' && Text.substr(I, 2) == "::") {
      ++I;
      continue;
    }
    if (Depth == 0 && Text[I] == Separator)
      return I;
    Depth += StringRef("([{").contains(Text[I]);
    Depth -= Depth > 0 && StringRef(")]}").contains(Text[I]);
  }
  return StringRef::npos;
}

std::vector<StringRef> splitOutside(StringRef Text, char Separator) {
  std::vector<StringRef> Parts;
  size_t At;
  while ((At = findOutside(Text, Separator)) != StringRef::npos) {
    Parts.push_back(Text.take_front(At).trim());
    Text = Text.drop_front(At + 1);
  }
  Parts.push_back(Text.trim());
  return Parts;
}

/// The list of a clause, without what stands before or behind it.
std::optional<StringRef> listOf(const Clause &C) {
  const StringRef Text = C.Argument;
  const size_t Colon = findOutside(Text, ':');
  switch (C.Kind) {
  case ClauseKind::Private:
  case ClauseKind::FirstPrivate:
    return Text;
  case ClauseKind::Linear: // (x : step)
    return Text.take_front(Colon);
  case ClauseKind::LastPrivate: // (conditional : x)
  case ClauseKind::Reduction:   // (inscan, + : x)
    return Colon == StringRef::npos ? Text : Text.drop_front(Colon + 1);
  default:
    return std::nullopt;
  }
}

std::optional<PrivateItem> readItem(StringRef Text) {
  const StringRef Name = Text.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
  if (Name.empty() || llvm::isDigit(Name.front()))
    return std::nullopt;
  PrivateItem Item{Name.str()};
  StringRef Rest = Text.drop_front(Name.size()).ltrim();
  while (Rest.consume_front("[")) {
    const size_t End = findOutside(Rest, ']');
    if (End == StringRef::npos)
      return std::nullopt;
    const std::vector<StringRef> Parts = splitOutside(Rest.take_front(End), ':');
    Item.Brackets.push_back({Parts[0].str()});
    if (Parts.size() > 1)
      Item.Brackets.back().Length = Parts[1].str();
    Rest = Rest.drop_front(End + 1).ltrim();
  }
  return Rest.empty() ? std::optional(Item) : std::nullopt;
}

} // namespace

std::vector<PrivateItem> privateItems(const Directive &D) {
  std::vector<PrivateItem> Items;
  for (const Clause &C : D.Clauses)
    if (const std::optional<StringRef> List = listOf(C))
      for (const StringRef Text : splitOutside(*List, ','))
        if (std::optional<PrivateItem> Item = readItem(Text))
          Items.push_back(std::move(*Item));
  return Items;
}

} // namespace prophet
