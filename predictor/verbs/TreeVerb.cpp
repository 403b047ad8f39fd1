//===- TreeVerb.cpp - prophet tree ------------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/TreeGraph.h"
#include "predictor/report/TreeSummary.h"
#include "predictor/support/Text.h"
#include "predictor/tree/TreeReader.h"
#include "predictor/verbs/Verbs.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace prophet {

namespace {
struct TreeVerb {
  std::string path, format, output;

  Result<int> run() const {
    auto tree = readTree(path);
    if (!tree)
      return tree.error();
    auto text = render(*tree);
    if (!text)
      return text.error();
    if (auto error = writeResult(output, *text))
      return *error;
    return ExitDone;
  }

  Result<std::string> render(const Tree &tree) const {
    if (format.empty() || format == "text")
      return renderSummaryText(tree, path);
    if (format == "json")
      return renderSummaryJson(tree, path);
    if (format == "dot")
      return renderDot(tree);
    auto folded = renderFolded(tree);
    if (!folded)
      return Error{printable(path) + ": " + folded.error().message};
    return *folded;
  }
};
} // namespace

void addTree(CLI::App &app, Action &action) {
  auto *sub = app.add_subcommand("tree", "Shows what is in a program tree");
  describeInHelp(*sub, "Example:\n"
                       "  prophet tree mandel.prophet.json\n\n"
                       "Shows sites, trip counts, lengths of tasks, locks and compression.\n");
  auto verb = std::make_shared<TreeVerb>();
  sub->add_option("TREE", verb->path, "A program tree; - reads standard input")
      ->required()
      ->type_name("");
  sub->add_option("--format", verb->format,
                  "text (default) | json | dot (Graphviz) | folded (flame graphs)")
      ->type_name("F")
      ->check([](const std::string &word) {
        static const std::vector<std::string> Known = {"text", "json", "dot", "folded"};
        return std::find(Known.begin(), Known.end(), word) != Known.end()
                   ? std::string()
                   : fmt::format("'{}' is not text, json, dot or folded", printable(word));
      });
  sub->add_option("-o,--output", verb->output, "Write the result to FILE, whole or not at all")
      ->type_name("FILE");
  sub->final_callback([&action, verb] { action = [verb] { return verb->run(); }; });
}

} // namespace prophet
