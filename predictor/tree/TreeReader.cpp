//===- TreeReader.cpp - Program tree files to trees -------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/tree/TreeReader.h"

#include "predictor/support/Text.h"
#include "predictor/tree/JsonParser.h"
#include "predictor/tree/PlainJson.h"
#include "predictor/tree/TreeBuilder.h"
#include "predictor/tree/TreeCheck.h"

#include <cstring>
#include <fmt/format.h>

namespace prophet {

Result<Tree> parseTree(ByteSource &source, const std::string &name) {
  auto fail = [&](const std::string &what) { return Error{name + ": " + what}; };
  TreeBuilder builder;
  std::string syntax;
  const bool isPlain = source.canRewind() && PlainJson(source, builder).parse();
  if (!isPlain || builder.problem("")) {
    source.rewind();
    builder = TreeBuilder();
    syntax = parseJson(source, builder);
  }
  if (source.readError())
    return fail(
        fmt::format("cannot read: {}; name a readable file", std::strerror(source.readError())));
  if (auto wrong = builder.problem(syntax))
    return fail(*wrong);
  Tree tree = builder.take();
  if (auto wrong = findTreeProblem(tree))
    return fail(*wrong);
  addTreeWarnings(tree);
  return tree;
}

Result<Tree> readTree(const std::string &path) {
  auto source = ByteSource::open(path);
  if (!source)
    return source.error();
  return parseTree(**source, path == "-" ? "standard input" : printable(path));
}

} // namespace prophet
