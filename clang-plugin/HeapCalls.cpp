//===- HeapCalls.cpp - Calls that allocate and free -------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "clang-plugin/HeapCalls.h"

#include "clang-plugin/MemoryFilters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace prophet {
namespace {

/// Which arguments of a function say what it does; None where none does.
struct HeapFunction {
  enum : int { None = -1 };
  int Size = None; ///< bytes, or elements of as many bytes as `Each`
  int Each = None;
  int Place = None; ///< where it stores the block's address, which it returns otherwise
  int Freed = None; ///< the block that it frees, or that becomes the new one
  unsigned Arguments = 0;

  bool allocates() const { return Size != None; }
};

/// What may follow in the names of the global operator new and delete that C++ has. Placement's
/// ones, which have the memory, are no such.
bool isStandardOperator(StringRef Rest) {
  if (!Rest.consume_front("m"))
    Rest.consume_front("j");
  Rest.consume_front("St11align_val_t");
  Rest.consume_front("RKSt9nothrow_t");
  Rest.consume_front("12__hot_cold_t");
  return Rest.empty();
}

HeapFunction operatorOf(StringRef Name, unsigned Arguments) {
  if (Name.consume_front("_Znw") || Name.consume_front("_Zna")) {
    const bool HasSize = Name.starts_with("m") || Name.starts_with("j");
    return HasSize && isStandardOperator(Name) ? HeapFunction{.Size = 0, .Arguments = Arguments}
                                               : HeapFunction{};
  }
  if ((Name.consume_front("_ZdlPv") || Name.consume_front("_ZdaPv")) && isStandardOperator(Name))
    return {.Freed = 0, .Arguments = Arguments};
  return {};
}

HeapFunction heapFunction(const Function &Called) {
  const unsigned Arguments = Called.arg_size();
  const HeapFunction Sized{.Size = 0, .Arguments = 1}, Aligned{.Size = 1, .Arguments = 2};
  const HeapFunction Known =
      StringSwitch<HeapFunction>(Called.getName())
          .Cases("malloc", "valloc", "pvalloc", Sized)
          .Cases("aligned_alloc", "memalign", Aligned)
          .Case("calloc", {.Size = 0, .Each = 1, .Arguments = 2})
          .Cases("realloc", "reallocf", {.Size = 1, .Freed = 0, .Arguments = 2})
          .Case("reallocarray", {.Size = 1, .Each = 2, .Freed = 0, .Arguments = 3})
          .Case("posix_memalign", {.Size = 2, .Place = 0, .Arguments = 3})
          .Cases("free", "cfree", {.Freed = 0, .Arguments = 1})
          .Case("free_sized", {.Freed = 0, .Arguments = 2})
          .Case("free_aligned_sized", {.Freed = 0, .Arguments = 3})
          .Default(operatorOf(Called.getName(), Arguments));
  return Known.Arguments == Arguments && !Called.isVarArg() ? Known : HeapFunction{};
}

/// Are the arguments and the result of the types that such a function has in C?
bool hasItsTypes(const CallBase &Call, const HeapFunction &Heap) {
  for (int Number : {Heap.Size, Heap.Each})
    if (Number != HeapFunction::None && !Call.getArgOperand(Number)->getType()->isIntegerTy())
      return false;
  for (int Pointer : {Heap.Place, Heap.Freed})
    if (Pointer != HeapFunction::None && !Call.getArgOperand(Pointer)->getType()->isPointerTy())
      return false;
  if (!Heap.allocates())
    return true;
  return Heap.Place == HeapFunction::None ? Call.getType()->isPointerTy()
                                          : Call.getType()->isIntegerTy();
}

/// Where something is to be added that happens behind the call, if that does not throw.
Instruction *placeBehind(CallBase &Call) {
  auto *Invoke = dyn_cast<InvokeInst>(&Call);
  if (!Invoke)
    return Call.getNextNode();
  BasicBlock *Next = Invoke->getNormalDest();
  if (!Next->getSinglePredecessor())
    Next = SplitEdge(Invoke->getParent(), Next);
  return &*Next->getFirstInsertionPt();
}

void tellAllocated(CallBase &Call, const HeapFunction &Heap, const HeapInterface &Runtime) {
  IRBuilder<> B(placeBehind(Call));
  Type *Long = B.getInt64Ty();
  Value *Size = B.CreateZExtOrTrunc(Call.getArgOperand(Heap.Size), Long);
  if (Heap.Each != HeapFunction::None) // a product that is too large gets nothing
    Size = B.CreateMul(Size, B.CreateZExtOrTrunc(Call.getArgOperand(Heap.Each), Long));
  Value *Address = &Call;
  if (Heap.Place != HeapFunction::None) {
    Address = B.CreateLoad(B.getPtrTy(), Call.getArgOperand(Heap.Place));
    // What it stores where it fails is not said.
    Size = B.CreateSelect(B.CreateIsNull(&Call), Size, ConstantInt::get(Long, 0));
  }
  Address = B.CreatePtrToInt(Address, Long);
  if (Heap.Freed == HeapFunction::None)
    return callRuntime(B, Runtime.Allocated, {Address, Size});
  Value *Old = B.CreatePtrToInt(Call.getArgOperand(Heap.Freed), Long);
  callRuntime(B, Runtime.Reallocated, {Old, Address, Size});
}

void tellFreed(CallBase &Call, const HeapFunction &Heap, FunctionCallee Freed) {
  IRBuilder<> B(&Call);
  callRuntime(B, Freed, {B.CreatePtrToInt(Call.getArgOperand(Heap.Freed), B.getInt64Ty())});
}

} // namespace

void tellHeapCalls(Function &F, const HeapInterface &Runtime) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallBase>(&I);
    const Function *Called = Call ? Call->getCalledFunction() : nullptr;
    if (!Called || Called->hasLocalLinkage() || isa<CallBrInst>(Call) || Call->isMustTailCall())
      continue;
    const HeapFunction Heap = heapFunction(*Called);
    const bool IsKnown = Heap.allocates() || Heap.Freed != HeapFunction::None;
    if (!IsKnown || Call->arg_size() != Heap.Arguments || !hasItsTypes(*Call, Heap))
      continue;
    if (Heap.allocates())
      tellAllocated(*Call, Heap, Runtime);
    else
      tellFreed(*Call, Heap, Runtime.Freed);
  }
}

} // namespace prophet
