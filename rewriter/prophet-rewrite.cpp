//===- prophet-rewrite.cpp - Prints an annotated source rewritten *- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/TextOutlet.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Tooling/CommonOptionsParser.h"
#include "clang/Tooling/Tooling.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <optional>

using namespace clang;
using namespace clang::tooling;

namespace {

class RewriteAction : public ASTFrontendAction {
public:
  RewriteAction(const prophet::Options &Chosen, std::string &Rewritten)
      : Chosen(Chosen), Rewritten(Rewritten) {}

private:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, StringRef) override {
    Out.emplace(CI.getPreprocessor());
    return prophet::makeConsumer(CI.getPreprocessor(), &*Out, Chosen);
  }
  void EndSourceFileAction() override { Rewritten = Out->text(); }

  prophet::Options Chosen;
  std::string &Rewritten;
  std::optional<prophet::TextOutlet> Out;
};

class RewriteActionFactory : public FrontendActionFactory {
public:
  std::unique_ptr<FrontendAction> create() override {
    return std::make_unique<RewriteAction>(Chosen, Rewritten);
  }
  prophet::Options Chosen;
  std::string Rewritten;
};

int fail(const llvm::Twine &Message) {
  llvm::errs() << "prophet-rewrite: " << Message << "\n";
  return 2;
}

const char Overview[] = "  prophet-rewrite app.c -o app.prophet.c -- -O2 -DN=100\n\n"
                        "Prints a C or C++ source with the runtime's calls where the plugin would\n"
                        "add them. What follows -- are the compiler's options for the source.";

} // namespace

int main(int argc, const char **argv) {
  llvm::cl::OptionCategory Category("prophet-rewrite");
  llvm::cl::opt<std::string> Output(
      "o", llvm::cl::desc("where to write (default: standard output)"),
      llvm::cl::value_desc("FILE"), llvm::cl::init("-"), llvm::cl::cat(Category));
  llvm::cl::opt<bool> FromOpenMP("from-openmp",
                                 llvm::cl::desc("take '#pragma omp' lines as annotations too"),
                                 llvm::cl::cat(Category));
  auto Options = CommonOptionsParser::create(argc, argv, Category, llvm::cl::OneOrMore, Overview);
  if (!Options) {
    llvm::errs() << toString(Options.takeError()); // names the program by itself
    return 2;
  }
  if (Options->getSourcePathList().size() != 1)
    return fail("one source file at a time");
  std::string Given = Options->getSourcePathList().front();
  if (!llvm::sys::fs::exists(Given))
    return fail("'" + Given + "' does not exist; name the source file before --");

  ClangTool Tool(Options->getCompilations(), Options->getSourcePathList());
  Tool.appendArgumentsAdjuster(getInsertArgumentAdjuster(
      {"-resource-dir=" PROPHET_RESOURCE_DIR, "-w"}, ArgumentInsertPosition::BEGIN));
  // Sites name the file as the user does.
  Tool.appendArgumentsAdjuster([&](CommandLineArguments Args, llvm::StringRef Absolute) {
    std::replace(Args.begin(), Args.end(), Absolute.str(), Given);
    return Args;
  });
  Tool.setPrintErrorMessage(false);
  RewriteActionFactory Factory;
  Factory.Chosen.OpenMP = FromOpenMP;
  if (Tool.run(&Factory))
    return 2;
  if (llvm::Error Failed = llvm::writeToOutput(Output, [&](llvm::raw_ostream &OS) {
        OS << Factory.Rewritten;
        return llvm::Error::success();
      }))
    return fail("cannot write " + toString(std::move(Failed)));
  return 0;
}
