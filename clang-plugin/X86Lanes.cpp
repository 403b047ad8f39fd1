//===- X86Lanes.cpp - Gathers, scatters and masks of x86's own --*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "clang-plugin/X86Lanes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>
#include <numeric>

using namespace llvm;

namespace prophet {

static constexpr char partOfLanes[] = "prophet.lanes";

bool isPartOfLanes(const Instruction &I) { return I.hasMetadata(partOfLanes); }

namespace {

unsigned lanesOf(const Value *Vector) {
  return cast<FixedVectorType>(Vector->getType())->getNumElements();
}

class Generaliser {
public:
  /// What is built from now on is marked; so is the call, which goes.
  explicit Generaliser(CallInst &Call) : Call(Call), Builder(&Call) {
    LLVMContext &Context = Call.getContext();
    const unsigned Mark = Context.getMDKindID(partOfLanes);
    Call.setMetadata(Mark, MDNode::get(Context, {}));
    Builder.CollectMetadataToCopy(&Call, {Mark});
  }

  /// Arguments: what masked lanes are, an address, what is added to it, the mask, and times what.
  Value *gather() {
    Value *Others = Call.getArgOperand(0), *Index = Call.getArgOperand(2);
    const unsigned Lanes = std::min(lanesOf(Others), lanesOf(Index));
    Value *Addresses = addresses(Call.getArgOperand(1), Index, 4, Lanes);
    Value *Mask = allowed(Call.getArgOperand(3), Lanes);
    auto *Loaded =
        FixedVectorType::get(cast<VectorType>(Others->getType())->getElementType(), Lanes);
    CallInst *Result =
        access(Builder.CreateMaskedGather(Loaded, Addresses, Align(1), Mask, first(Others, Lanes)));
    if (Lanes == lanesOf(Others))
      return Result;
    SmallVector<int, 16> WithZeros(lanesOf(Others), static_cast<int>(Lanes));
    std::iota(WithZeros.begin(), WithZeros.begin() + Lanes, 0);
    return Builder.CreateShuffleVector(Result, Constant::getNullValue(Loaded), WithZeros);
  }

  /// Arguments: an address, the mask, what is added to it, what is stored, and times what.
  void scatter() {
    Value *Index = Call.getArgOperand(2), *Stored = Call.getArgOperand(3);
    const unsigned Lanes = std::min(lanesOf(Stored), lanesOf(Index));
    access(Builder.CreateMaskedScatter(first(Stored, Lanes),
                                       addresses(Call.getArgOperand(0), Index, 4, Lanes), Align(1),
                                       allowed(Call.getArgOperand(1), Lanes)));
  }

  /// Arguments: an address and the mask.
  Value *load() {
    return access(Builder.CreateMaskedLoad(Call.getType(), Call.getArgOperand(0), Align(1),
                                           allowed(Call.getArgOperand(1), lanesOf(&Call)),
                                           Constant::getNullValue(Call.getType())));
  }

  /// Arguments: an address, the mask and what is stored.
  void store() {
    Value *Stored = Call.getArgOperand(2);
    access(Builder.CreateMaskedStore(Stored, Call.getArgOperand(0), Align(1),
                                     allowed(Call.getArgOperand(1), lanesOf(Stored))));
  }

private:
  CallInst &Call;
  IRBuilder<> Builder;

  /// What the processor executes of all that.
  static CallInst *access(CallInst *Access) {
    Access->setMetadata(partOfLanes, nullptr);
    return Access;
  }

  Value *first(Value *Vector, unsigned Lanes) {
    if (lanesOf(Vector) == Lanes)
      return Vector;
    SmallVector<int, 16> Kept(Lanes);
    std::iota(Kept.begin(), Kept.end(), 0);
    return Builder.CreateShuffleVector(Vector, Kept);
  }

  /// \param Scale the argument that says times how many bytes
  Value *addresses(Value *Base, Value *Index, unsigned Scale, unsigned Lanes) {
    const uint64_t Bytes = cast<ConstantInt>(Call.getArgOperand(Scale))->getZExtValue();
    auto *Wide = FixedVectorType::get(Builder.getInt64Ty(), Lanes);
    Value *Apart = Builder.CreateSExt(first(Index, Lanes), Wide);
    return Builder.CreateGEP(Builder.getIntNTy(static_cast<unsigned>(8 * Bytes)), Base, Apart);
  }

  /// By bits of AVX-512's mask registers, or by the signs of as wide numbers.
  Value *allowed(Value *Mask, unsigned Lanes) {
    auto *Type = cast<VectorType>(Mask->getType());
    if (Type->getElementType()->isIntegerTy(1))
      return first(Mask, Lanes);
    Value *Numbers = Builder.CreateBitCast(Mask, VectorType::getInteger(Type));
    return Builder.CreateIsNeg(first(Numbers, Lanes));
  }
};

/// Builds what does the same as `Call`. \returns its result, or `Call` where that has none; null if
/// `Call` is no such intrinsic
Value *generalised(CallInst &Call) {
  const Function *Called = Call.getCalledFunction();
  StringRef Name = Called ? Called->getName() : "";
  if (!Name.consume_front("llvm.x86.avx"))
    return nullptr;
  if (Name.starts_with("2.gather.") || Name.starts_with("512.mask.gather"))
    return Generaliser(Call).gather();
  if (Name.starts_with("512.mask.scatter"))
    return Generaliser(Call).scatter(), &Call;
  Name.consume_front("2");
  if (Name.starts_with(".maskload."))
    return Generaliser(Call).load();
  if (Name.starts_with(".maskstore."))
    return Generaliser(Call).store(), &Call;
  return nullptr;
}

} // namespace

void generaliseX86Lanes(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    Value *Instead = Call ? generalised(*Call) : nullptr;
    if (!Instead)
      continue;
    if (Instead != Call) {
      Call->replaceAllUsesWith(Instead);
      Instead->takeName(Call);
    }
    Call->eraseFromParent();
  }
}

} // namespace prophet
