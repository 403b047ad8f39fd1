//===- OpenMPTool.cpp - From a command line to OpenMP ---------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/OpenMPTool.h"

#include "clang/Frontend/FrontendActions.h"

#include "llvm/Support/raw_ostream.h"

using namespace clang;
using namespace clang::tooling;

namespace prophet {
namespace {

class ApplyAction : public ASTFrontendAction {
public:
  ApplyAction(const Plan *P, EditHeaders Headers, std::vector<EditedFile> &Files)
      : P(P), Headers(Headers), Files(Files) {}

private:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, StringRef) override {
    Out.emplace(CI, P, Headers);
    return makeConsumer(CI.getPreprocessor(), &*Out, Options());
  }
  void EndSourceFileAction() override { Files = Out->files(); }

  const Plan *P;
  EditHeaders Headers;
  std::vector<EditedFile> &Files;
  std::optional<OpenMPOutlet> Out;
};

class ApplyFactory : public FrontendActionFactory {
public:
  ApplyFactory(const Plan *P, EditHeaders Headers) : P(P), Headers(Headers) {}
  std::unique_ptr<FrontendAction> create() override {
    return std::make_unique<ApplyAction>(P, Headers, Files);
  }

  const Plan *P;
  EditHeaders Headers;
  std::vector<EditedFile> Files;
};

} // namespace

std::optional<std::vector<EditedFile>> applyOpenMP(ClangTool &Parse, ClangTool &Compile,
                                                   const Plan *P, EditHeaders Headers) {
  // The program's own OpenMP pragmas mean nothing to the analysis: it is the serial program's.
  Parse.appendArgumentsAdjuster(
      getInsertArgumentAdjuster("-fno-openmp", ArgumentInsertPosition::END));
  ApplyFactory Factory(P, Headers);
  if (Parse.run(&Factory) || Factory.Files.empty())
    return std::nullopt;
  for (const EditedFile &File : Factory.Files)
    Compile.mapVirtualFile(File.Path, File.Marked);
  Compile.appendArgumentsAdjuster(
      getInsertArgumentAdjuster("-fopenmp", ArgumentInsertPosition::END));
  if (Compile.run(newFrontendActionFactory<SyntaxOnlyAction>().get()))
    return std::nullopt;
  return std::move(Factory.Files);
}

static llvm::Error writeFile(const std::string &Path, const std::string &Text) {
  return llvm::writeToOutput(Path, [&](llvm::raw_ostream &OS) {
    OS << Text;
    return llvm::Error::success();
  });
}

llvm::Error writeInto(const std::string &Directory, const std::vector<EditedFile> &Files) {
  std::string Paths;
  for (size_t N = 0; N != Files.size(); ++N) {
    std::string Name = Directory + "/" + std::to_string(N);
    if (llvm::Error Failed = writeFile(Name + ".text", Files[N].Text))
      return Failed;
    if (llvm::Error Failed = writeFile(Name + ".marked", Files[N].Marked))
      return Failed;
    Paths += Files[N].Path + "\n";
  }
  return writeFile(Directory + "/paths", Paths);
}

} // namespace prophet
