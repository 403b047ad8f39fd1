//===- LinkStub.cpp - Calls that need no library at the link ----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "clang-plugin/LinkStub.h"

#include "clang-plugin/PassCallbacks.h"
#include "rewriter/ClangCompat.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

/// stub.c, memory_stub.c and runtime/omp as LLVM bitcode, made by the build.
extern const unsigned char prophetStubBitcode[];
extern const unsigned prophetStubSize;
extern const unsigned char prophetMemoryStubBitcode[];
extern const unsigned prophetMemoryStubSize;
extern const unsigned char prophetOpenMPBitcode[];
extern const unsigned prophetOpenMPSize;

namespace prophet {

bool hasTarget(const Module &M) {
  Triple Target(M.getTargetTriple());
  if (Target.isOSBinFormatELF() && M.getDataLayout().getPointerSize() == 8)
    return true;
  M.getContext().emitError("prophet: annotated programs need a 64-bit ELF target, not '" +
                           Target.str() + "'");
  return false;
}

namespace {

const char *const Calls[] = {
    "__prophet_section_begin", "__prophet_section_end",  "__prophet_task_begin",
    "__prophet_task_end",      "__prophet_lock_begin",   "__prophet_lock_end",
    "__prophet_spawn_begin",   "__prophet_tasks_end",    "__prophet_pause",
    "__prophet_resume",        "__prophet_open_section", "__prophet_close_section",
    "__prophet_open_task",     "__prophet_close_task",   "__prophet_next_task",
    "__prophet_open_lock",     "__prophet_close_lock"};
/// Before the constructors of programs, which get 65535 unless they ask for another; 0 to 100 are
/// the implementation's.
const int StartPriority = 101;

/// The runtime's library beside the plugin's real file, or "" where that has gone.
std::string libraryBeside(StringRef Library) {
  SmallString<256> Path(pluginFile());
  if (Path.empty())
    return "";
  sys::path::remove_filename(Path);
  sys::path::append(Path, Library);
  return std::string(Path);
}

bool isMissing(const Function &F) { return F.isDeclaration() && !F.use_empty(); }

bool callsRuntime(const Module &M) {
  return any_of(Calls, [&](const char *Name) {
    const Function *F = M.getFunction(Name);
    return F && isMissing(*F);
  });
}

bool callsOpenMP(const Module &M) {
  return any_of(M, [](const Function &F) {
    return isMissing(F) && (startsWith(F.getName(), "omp_") || startsWith(F.getName(), "ompc_"));
  });
}

/// Takes out what ties the stub to the target it was compiled for.
void retarget(Module &Stub, const Module &M) {
  Stub.setTargetTriple(M.getTargetTriple());
  Stub.setDataLayout(M.getDataLayout());
  while (!Stub.named_metadata_empty())
    Stub.eraseNamedMetadata(&*Stub.named_metadata_begin());
  for (Function &F : Stub)
    for (const char *Name :
         {"target-cpu", "target-features", "tune-cpu", "frame-pointer",
          "stack-protector-buffer-size", "no-trapping-math", "min-legal-vector-width"})
      F.removeFnAttr(Name);
}

/// One copy for each program or shared library, invisible outside it. Only what the module calls
/// is linked.
void shareAcrossModules(Module &Stub, GlobalValue::LinkageTypes Linkage) {
  for (GlobalObject &G : Stub.global_objects()) {
    if (G.isDeclaration() || G.hasLocalLinkage())
      continue;
    G.setVisibility(GlobalValue::HiddenVisibility);
    G.setDSOLocal(true);
    if (G.hasCommonLinkage())
      continue;
    G.setLinkage(Linkage);
    if (Triple(Stub.getTargetTriple()).supportsCOMDAT())
      G.setComdat(Stub.getOrInsertComdat(G.getName()));
  }
}

void setBeside(Module &Stub, StringRef Name, StringRef Library) {
  GlobalVariable *Old = Stub.getNamedGlobal(Name);
  Constant *Text = ConstantDataArray::getString(Stub.getContext(), libraryBeside(Library));
  auto *New = new GlobalVariable(Stub, Text->getType(), /*isConstant=*/true,
                                 GlobalValue::LinkOnceODRLinkage, Text);
  New->takeName(Old);
  // Pointers have types up to LLVM 14.
  Old->replaceAllUsesWith(ConstantExpr::getBitCast(New, Old->getType()));
  Old->eraseFromParent();
}

std::unique_ptr<Module> load(const unsigned char *Bitcode, unsigned Size, const Module &M) {
  StringRef Bytes(reinterpret_cast<const char *>(Bitcode), Size);
  std::unique_ptr<Module> Loaded =
      cantFail(parseBitcodeFile(MemoryBufferRef(Bytes, "prophet stub"), M.getContext()));
  retarget(*Loaded, M);
  return Loaded;
}

/// A program's own definition, in another file, comes first: so nothing may be inlined.
void linkOpenMP(Module &M) {
  if (!callsOpenMP(M) || !hasTarget(M))
    return;
  std::unique_ptr<Module> Functions = load(prophetOpenMPBitcode, prophetOpenMPSize, M);
  shareAcrossModules(*Functions, GlobalValue::LinkOnceAnyLinkage);
  if (Linker::linkModules(M, std::move(Functions), Linker::LinkOnlyNeeded))
    M.getContext().emitError("prophet: cannot link OpenMP's functions into this module");
}

void linkStub(Module &M) {
  if (!callsRuntime(M) || !hasTarget(M))
    return;
  LLVMContext &Context = M.getContext();
  std::unique_ptr<Module> Stub = load(prophetStubBitcode, prophetStubSize, M);
  setBeside(*Stub, "__prophet_stub_beside", "libprophet.so.1");
  shareAcrossModules(*Stub, GlobalValue::LinkOnceODRLinkage);
  appendToGlobalCtors(*Stub, Stub->getFunction("__prophet_stub_start"), StartPriority,
                      Stub->getNamedGlobal("__prophet_stub_table"));
  if (Linker::linkModules(M, std::move(Stub)))
    Context.emitError("prophet: cannot link the runtime's stub into this module");
}

/// OpenMP's functions call the runtime, so they come first.
void linkAll(Module &M, StubParts Parts) {
  if (Parts.OpenMP)
    linkOpenMP(M);
  if (Parts.Runtime)
    linkStub(M);
}

struct LinkStubPass : PassInfoMixin<LinkStubPass> {
  StubParts Parts;
  explicit LinkStubPass(StubParts Parts) : Parts(Parts) {}
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    linkAll(M, Parts);
    return PreservedAnalyses::none();
  }
};

/// With passes disabled, as -save-temps has them where it writes bitcode, nothing is ever added to
/// the pipeline: the stub is linked before the pass that prints or writes the module.
void linkBeforeOutput(PassBuilder &Builder, StubParts Parts) {
  Builder.getPassInstrumentationCallbacks()->registerBeforeNonSkippedPassCallback(
      [Parts](StringRef, Any IR) {
        if (const auto *M = any_cast<const Module *>(&IR))
          linkAll(const_cast<Module &>(**M), Parts);
      });
}

void linkAtStart(PassBuilder &Builder, StubParts Parts) {
  Builder.registerPipelineStartEPCallback([Parts](ModulePassManager &Passes, OptimizationLevel) {
    Passes.addPass(LinkStubPass(Parts));
  });
}

} // namespace

void addLinkStubPass(clang::CodeGenOptions &Options, StubParts Parts) {
  auto *Link = Options.DisableLLVMPasses ? linkBeforeOutput : linkAtStart;
  addPassCallback(Options, [Link, Parts](PassBuilder &Builder) { Link(Builder, Parts); });
}

void linkMemoryStub(Module &M, CallingConv::ID FilterCalls) {
  LLVMContext &Context = M.getContext();
  std::unique_ptr<Module> Stub = load(prophetMemoryStubBitcode, prophetMemoryStubSize, M);
  setBeside(*Stub, "__prophet_memory_beside", "libprophet-memory.so.1");
  for (const char *Name :
       {"__prophet_memory_touch", "__prophet_memory_line", "__prophet_memory_lanes",
        "__prophet_memory_own", "__prophet_memory_region", "__prophet_memory_allocated",
        "__prophet_memory_reallocated", "__prophet_memory_freed"})
    Stub->getFunction(Name)->setCallingConv(FilterCalls);
  shareAcrossModules(*Stub, GlobalValue::LinkOnceODRLinkage);
  Constant *Key = Stub->getNamedGlobal("__prophet_memory_table_v6");
  appendToGlobalCtors(*Stub, Stub->getFunction("__prophet_memory_start"), StartPriority + 1, Key);
  appendToGlobalDtors(*Stub, Stub->getFunction("__prophet_memory_stop"), StartPriority + 1, Key);
  if (Linker::linkModules(M, std::move(Stub)))
    Context.emitError("prophet: cannot link the memory profile's stub into this module");
}

} // namespace prophet
