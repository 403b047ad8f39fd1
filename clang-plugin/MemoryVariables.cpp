//===- MemoryVariables.cpp - What filters keep in registers ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "clang-plugin/MemoryVariables.h"

#include "clang-plugin/TailCalls.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace prophet {

static GlobalVariable *declare(Module &M, StringRef Name, Type *Type, bool ThreadLocal) {
  auto *Variable = cast<GlobalVariable>(M.getOrInsertGlobal(Name, Type));
  Variable->setVisibility(GlobalValue::HiddenVisibility);
  Variable->setDSOLocal(true);
  if (ThreadLocal)
    Variable->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
  return Variable;
}

static DenseSet<const Function *> findAnnotated(const Module &M) {
  DenseSet<const Function *> Found;
  for (const Function &Called : M)
    if (Called.getName().starts_with("__prophet_"))
      for (const User *Use : Called.users())
        if (const auto *I = dyn_cast<Instruction>(Use))
          Found.insert(I->getFunction());
  return Found;
}

MemoryInterface::MemoryInterface(Module &M) : M(M), Annotated(findAnnotated(M)) {
  LLVMContext &C = M.getContext();
  Type *Word = Type::getInt32Ty(C), *Long = Type::getInt64Ty(C), *None = Type::getVoidTy(C);
  Type *Pointer = PointerType::getUnqual(C);
  Threshold = declare(M, "__prophet_memory_threshold", Word, false);
  Ahead = declare(M, "__prophet_memory_ahead",
                  ArrayType::get(Type::getInt16Ty(C), PROPHET_MEMORY_AHEAD), false);
  Counted =
      declare(M, "__prophet_memory_counts_v6", ArrayType::get(Long, PROPHET_MEMORY_COUNTS), true);
  Touch = M.getOrInsertFunction("__prophet_memory_touch", None, Long, Pointer);
  Line = M.getOrInsertFunction("__prophet_memory_line", None, Long, Word);
  Lanes = M.getOrInsertFunction("__prophet_memory_lanes", None, Pointer, Long, Pointer);
  Range = M.getOrInsertFunction("__prophet_memory_range", None, Long, Long, Word);
  Own = M.getOrInsertFunction("__prophet_memory_own", None, Long, Long);
  Region = M.getOrInsertFunction("__prophet_memory_region", None, Word);
  Allocated = M.getOrInsertFunction("__prophet_memory_allocated", None, Long, Long);
  Reallocated = M.getOrInsertFunction("__prophet_memory_reallocated", None, Long, Long, Long);
  Freed = M.getOrInsertFunction("__prophet_memory_freed", None, Long);
  Triple Target(M.getTargetTriple());
  KeepingRegisters =
      Target.isX86() || Target.isAArch64() ? CallingConv::PreserveMost : CallingConv::C;
  for (FunctionCallee Callee : {Touch, Line, Lanes, Own}) {
    auto *F = cast<Function>(Callee.getCallee());
    F->setCallingConv(KeepingRegisters);
    F->addFnAttr(Attribute::Cold);
    F->setDoesNotThrow();
  }
  for (FunctionCallee Callee : {Region, Allocated, Reallocated, Freed}) {
    auto *F = cast<Function>(Callee.getCallee());
    F->setCallingConv(KeepingRegisters);
    F->setDoesNotThrow();
  }
  cast<Function>(Range.getCallee())->setDoesNotThrow();
}

void callRuntime(IRBuilder<> &B, FunctionCallee Callee, ArrayRef<Value *> Arguments) {
  CallInst *Call = B.CreateCall(Callee, Arguments);
  Call->setCallingConv(cast<Function>(Callee.getCallee())->getCallingConv());
  Call->setDoesNotThrow();
}

Constant *MemoryInterface::group(ArrayRef<uint32_t> Words) {
  Constant *Data = ConstantDataArray::get(M.getContext(), Words);
  StringRef Key(reinterpret_cast<const char *>(Words.data()), Words.size() * sizeof Words[0]);
  Constant *&Known = Groups[Key];
  if (!Known) {
    auto *Variable = new GlobalVariable(M, Data->getType(), true, GlobalValue::PrivateLinkage, Data,
                                        "__prophet_memory_group");
    Variable->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    Known = Variable;
  }
  return Known;
}

/// With more filters than this, variables in registers would take the code generator minutes, which
/// for each looks at all blocks behind (machine sinking).
static const size_t MostInRegisters = 4096;

static bool suitsRegisters(const Function &F, const FunctionAccesses &Accesses) {
  return !F.callsFunctionThatReturnsTwice() &&
         Accesses.Groups.size() + Accesses.Lanes.size() + Accesses.Ranges.size() <= MostInRegisters;
}

MemoryVariables::MemoryVariables(Function &F, const FunctionAccesses &Accesses,
                                 MemoryInterface &Interface)
    : F(F), Interface(Interface), Word(Type::getInt32Ty(F.getContext())),
      Long(Type::getInt64Ty(F.getContext())), InRegisters(suitsRegisters(F, Accesses)) {}

AllocaInst *MemoryVariables::makeOne() {
  IRBuilder<> Entry(&*F.getEntryBlock().begin());
  Variables.push_back(Entry.CreateAlloca(Long));
  return Variables.back();
}

void MemoryVariables::promote() {
  if (InRegisters) {
    DominatorTree Dominators(F);
    PromoteMemToReg(Variables, Dominators);
  }
  for (LoadInst *Load : Reads) // that nothing came of
    if (Load->use_empty())
      Load->eraseFromParent();
}

void MemoryVariables::make(const FunctionAccesses &Accesses) {
  if (!InRegisters)
    return;
  bool Used[PROPHET_MEMORY_COUNTS] = {};
  for (const AccessGroup &Group : Accesses.Groups)
    for (const Access &Member : Group.Members)
      Used[Member.Kind] = true;
  for (const LaneAccess &Lanes : Accesses.Lanes)
    Used[Lanes.Kind] = true;
  Used[PROPHET_MEMORY_INSTRUCTIONS] = !Accesses.Operations.empty();
  Used[PROPHET_MEMORY_FLOPS] =
      any_of(Accesses.Operations, [](const Operations &Some) { return Some.Flops > 0; });
  Used[PROPHET_MEMORY_CHAINED] = !Accesses.Recurrences.empty();
  IRBuilder<> Entry(&*F.getEntryBlock().begin());
  Threshold = Entry.CreateAlloca(Word);
  Variables.push_back(Threshold);
  for (unsigned Kind = 0; Kind < PROPHET_MEMORY_COUNTS; ++Kind)
    if (Used[Kind])
      Counters[Kind] = makeOne();
  Instruction *First = &*F.getEntryBlock().begin();
  while (isa<AllocaInst>(First))
    First = First->getNextNode();
  // What is found before anything is added, since added code is not to be visited.
  SmallVector<Instruction *, 16> Calls, Flushes;
  findExits(Calls, Flushes);
  Entry.SetInsertPoint(First);
  refresh(Entry);
  for (AllocaInst *Counter : Counters)
    if (Counter)
      Entry.CreateStore(ConstantInt::get(Long, 0), Counter);
  for (Instruction *Call : Calls)
    refreshBehind(Call);
  for (Instruction *I : Flushes)
    flush(I);
}

void MemoryVariables::findExits(SmallVectorImpl<Instruction *> &Calls,
                                SmallVectorImpl<Instruction *> &Flushes) const {
  bool Annotated = Interface.isAnnotated(F);
  for (BasicBlock &Block : F) {
    Instruction *End = Block.getTerminator();
    const auto *Return = dyn_cast<ReturnInst>(End);
    const CallInst *Tail = Return ? tailCallBefore(*Return) : nullptr;
    for (Instruction &I : Block) {
      const auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || !isOutsideCall(I))
        continue;
      if (Call != Tail)
        Calls.push_back(&I);
      if (Annotated || Call->doesNotReturn() || Call == Tail)
        Flushes.push_back(&I);
    }
    if ((Return && !Tail) || isa<ResumeInst>(End))
      Flushes.push_back(End);
  }
}

void MemoryVariables::refresh(IRBuilder<> &B) {
  if (!InRegisters)
    return;
  LoadInst *Read = B.CreateLoad(Word, Interface.Threshold);
  Reads.push_back(Read);
  B.CreateStore(Read, Threshold);
}

void MemoryVariables::refreshBehind(Instruction *Call) {
  SmallVector<Instruction *, 2> Places;
  if (auto *Invoke = dyn_cast<InvokeInst>(Call)) {
    Places = {&*Invoke->getNormalDest()->getFirstInsertionPt(),
              &*Invoke->getUnwindDest()->getFirstInsertionPt()};
  } else if (!Call->isTerminator()) {
    Places = {Call->getNextNode()};
  }
  for (Instruction *Place : Places) {
    IRBuilder<> B(Place);
    refresh(B);
  }
}

void MemoryVariables::flush(Instruction *Before) {
  IRBuilder<> B(Before);
  for (unsigned Kind = 0; Kind < PROPHET_MEMORY_COUNTS; ++Kind) {
    if (!Counters[Kind])
      continue;
    addToCount(B, Kind, B.CreateLoad(Long, Counters[Kind]));
    B.CreateStore(ConstantInt::get(Long, 0), Counters[Kind]);
  }
}

void MemoryVariables::addToCount(IRBuilder<> &B, unsigned Kind, Value *Count) {
  Value *Place =
      B.CreateConstInBoundsGEP2_64(Interface.Counted->getValueType(), Interface.Counted, 0, Kind);
  B.CreateStore(B.CreateAdd(B.CreateLoad(Long, Place), Count), Place);
}

void MemoryVariables::count(IRBuilder<> &B, unsigned Kind, Value *Count) {
  if (!InRegisters)
    return addToCount(B, Kind, Count);
  B.CreateStore(B.CreateAdd(B.CreateLoad(Long, Counters[Kind]), Count), Counters[Kind]);
}

Value *MemoryVariables::threshold(IRBuilder<> &B) {
  return InRegisters ? B.CreateLoad(Word, Threshold) : B.CreateLoad(Word, Interface.Threshold);
}

} // namespace prophet
