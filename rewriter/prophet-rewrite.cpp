//===- prophet-rewrite.cpp - Prints an annotated source rewritten *- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/OpenMPTool.h"
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
                        "add them, or with --openmp as an OpenMP program. What follows -- are the\n"
                        "compiler's options for the source.";

/// The options of the OpenMP outlet, which `prophet apply` sets.
struct OpenMPOptions {
  llvm::cl::opt<bool> Enabled;
  llvm::cl::opt<std::string> Plan, Into;
  llvm::cl::opt<bool> Headers;

  explicit OpenMPOptions(llvm::cl::OptionCategory &Category)
      : Enabled("openmp", llvm::cl::desc("print '#pragma omp' in the place of '#pragma prophet'"),
                llvm::cl::cat(Category)),
        Plan("plan",
             llvm::cl::desc("with --openmp: schedules and guards, as 'prophet apply' finds"),
             llvm::cl::value_desc("FILE"), llvm::cl::cat(Category)),
        Into("into", llvm::cl::desc("with --openmp: write every changed file into DIRECTORY"),
             llvm::cl::value_desc("DIRECTORY"), llvm::cl::cat(Category)),
        Headers("headers", llvm::cl::desc("with --openmp and --into: headers are changed, too"),
                llvm::cl::cat(Category)) {}
};

/// Without `--` the options come from a compilation database. Where there is none the file has
/// none, which is no matter for a message.
std::vector<const char *> withEmptyOptions(int argc, const char **argv) {
  std::vector<const char *> Args(argv, argv + argc);
  bool Given = llvm::any_of(llvm::drop_begin(Args), [](StringRef Arg) {
    std::string Unused;
    return Arg == "--" || Arg == "-p" || Arg.take_front(3) == "-p=" ||
           (llvm::sys::fs::exists(Arg) &&
            CompilationDatabase::autoDetectFromSource(Arg, Unused) != nullptr);
  });
  if (!Given)
    Args.push_back("--");
  return Args;
}

/// Writes `Text` to `Path`, or to standard output for "-".
int write(const std::string &Path, const std::string &Text) {
  if (llvm::Error Failed = llvm::writeToOutput(Path, [&](llvm::raw_ostream &OS) {
        OS << Text;
        return llvm::Error::success();
      }))
    return fail("cannot write " + toString(std::move(Failed)));
  return 0;
}

int runOpenMP(ClangTool &Parse, ClangTool &Compile, const OpenMPOptions &Options,
              const std::string &Output) {
  std::optional<prophet::Plan> Plan;
  if (!Options.Plan.empty()) {
    llvm::Expected<prophet::Plan> Read = prophet::readPlan(Options.Plan);
    if (!Read)
      return fail(toString(Read.takeError()));
    Plan = std::move(*Read);
  }
  auto Files =
      prophet::applyOpenMP(Parse, Compile, Plan ? &*Plan : nullptr,
                           Options.Headers ? prophet::EditHeaders::Yes : prophet::EditHeaders::No);
  if (!Files)
    return 2;
  if (Options.Into.empty())
    return write(Output, Files->front().Text);
  if (llvm::Error Failed = prophet::writeInto(Options.Into, *Files))
    return fail("cannot write " + toString(std::move(Failed)));
  return 0;
}

} // namespace

int main(int argc, const char **argv) {
  llvm::cl::OptionCategory Category("prophet-rewrite");
  llvm::cl::opt<std::string> Output(
      "o", llvm::cl::desc("where to write (default: standard output)"),
      llvm::cl::value_desc("FILE"), llvm::cl::init("-"), llvm::cl::cat(Category));
  llvm::cl::opt<bool> FromOpenMP("from-openmp",
                                 llvm::cl::desc("take '#pragma omp' lines as annotations too"),
                                 llvm::cl::cat(Category));
  OpenMPOptions OpenMP(Category);
  std::vector<const char *> Args = withEmptyOptions(argc, argv);
  int Count = Args.size();
  auto Options =
      CommonOptionsParser::create(Count, Args.data(), Category, llvm::cl::OneOrMore, Overview);
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
  ClangTool Again(Options->getCompilations(), Options->getSourcePathList());
  for (ClangTool *T : {&Tool, &Again}) {
    T->appendArgumentsAdjuster(getInsertArgumentAdjuster(
        {"-resource-dir=" PROPHET_RESOURCE_DIR, "-w"}, ArgumentInsertPosition::BEGIN));
    // Sites name the file as the user does.
    T->appendArgumentsAdjuster([&](CommandLineArguments Args, llvm::StringRef Absolute) {
      std::replace(Args.begin(), Args.end(), Absolute.str(), Given);
      return Args;
    });
    T->setPrintErrorMessage(false);
  }
  if (OpenMP.Enabled && FromOpenMP)
    return fail("--openmp writes what --from-openmp reads; leave out one of them");
  if (OpenMP.Enabled)
    return runOpenMP(Tool, Again, OpenMP, Output);
  RewriteActionFactory Factory;
  Factory.Chosen.OpenMP = FromOpenMP;
  if (Tool.run(&Factory))
    return 2;
  return write(Output, Factory.Rewritten);
}
