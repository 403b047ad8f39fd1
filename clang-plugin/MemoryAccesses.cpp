//===- MemoryAccesses.cpp - What a function reads and writes ----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "clang-plugin/MemoryAccesses.h"

#include "clang-plugin/ThreadNumbers.h"

#include "clang-plugin/AccessClass.h"
#include "clang-plugin/FloatOperation.h"
#include "clang-plugin/X86Lanes.h"

#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <optional>
#include <utility>

using namespace llvm;

namespace prophet {
namespace {

/// Constant sizes above it are ranges.
const uint64_t LargestAccess = 2 * PROPHET_MEMORY_LINE;
/// An access looks for company in as many groups.
const size_t MostGroups = 16;
/// So many bytes that do not move steadily, whose lines are asked about each time, share a filter.
const int64_t WidestGroup = 8 * PROPHET_MEMORY_LINE;

/// Is it a variable that annotations have brought with them?
bool isHandle(const AllocaInst &Variable) {
  bool Any = false;
  for (const User *Use : Variable.users()) {
    const auto *Call = dyn_cast<CallBase>(Use);
    const Function *Called = Call ? Call->getCalledFunction() : nullptr;
    if (Called && Called->getName().starts_with("__prophet_"))
      Any = true;
    else if (!isa<LoadInst>(Use) && !isa<IntrinsicInst>(Use) &&
             !(isa<StoreInst>(Use) && cast<StoreInst>(Use)->getPointerOperand() == &Variable))
      return false;
  }
  return Any;
}

/// Whether a processor executes it as an instruction of its own. Addresses, conversions and what is
/// compared for a jump are usually part of others. A call is left out: what is counted before it
/// would be after counts are handed over to the runtime. So are a function's ends.
bool isExecuted(const Instruction &I) {
  if (I.isDebugOrPseudoInst() || I.isLifetimeStartOrEnd() || I.isEHPad() || isa<CastInst>(I) ||
      isOutsideCall(I) || isPartOfLanes(I))
    return false;
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
      Intrinsic && Intrinsic->isAssumeLikeIntrinsic())
    return false;
  if (I.isTerminator())
    return isa<SwitchInst>(I) || (isa<BranchInst>(I) && cast<BranchInst>(I).isConditional());
  switch (I.getOpcode()) {
  case Instruction::PHI:
  case Instruction::GetElementPtr:
  case Instruction::Freeze:
  case Instruction::Alloca:
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
    return false;
  case Instruction::ICmp:
    return !(I.hasOneUse() && isa<BranchInst>(I.user_back()));
  default:
    return true;
  }
}

/// Floating-point operations, as processors count them: one a lane, a fused multiply-add two.
uint64_t flopsOf(const Instruction &I) {
  const auto Lanes = [](const Type *T) -> uint64_t {
    const auto *Vector = dyn_cast<VectorType>(T);
    return Vector ? Vector->getElementCount().getKnownMinValue() : 1;
  };
  switch (floatOperation(I)) {
  case FloatOperation::None:
    return 0;
  case FloatOperation::Fused:
    return 2 * Lanes(I.getType());
  case FloatOperation::Reduction:
    return Lanes(I.getOperand(1)->getType());
  case FloatOperation::Product:
  case FloatOperation::Other:
    break;
  }
  return Lanes(I.getType());
}

class Finder {
public:
  explicit Finder(Function &F) : Layout(F.getParent()->getDataLayout()), Classes(F) {
    for (BasicBlock &Block : F) {
      beginSegment();
      for (Instruction &I : Block) {
        if (isOutsideCall(I))
          beginSegment();
        add(I);
        operate(I);
      }
    }
    std::vector<AccessGroup> Groups = std::exchange(Found.Groups, {});
    for (AccessGroup &Group : Groups)
      addSteady(std::move(Group));
  }

  FunctionAccesses Found;

private:
  void beginSegment() {
    SegmentBegin = Found.Groups.size();
    ++Segment;
    HasOperations = false;
  }

  void operate(Instruction &I) {
    if (!isExecuted(I))
      return;
    if (!std::exchange(HasOperations, true))
      Found.Operations.push_back({&I, 0, 0});
    Found.Operations.back().Flops += flopsOf(I);
    ++Found.Operations.back().Instructions;
  }

  unsigned kind(Instruction &I, Value *Pointer, bool Write) {
    return 2 * Classes.of(I, Pointer, 0) + Write;
  }

  void add(Instruction &I) {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      plain(I, Load->getPointerOperand(), Load->getType(), Load->getAlign(), true, false);
    else if (auto *Store = dyn_cast<StoreInst>(&I))
      plain(I, Store->getPointerOperand(), Store->getValueOperand()->getType(), Store->getAlign(),
            false, true);
    else if (auto *Modify = dyn_cast<AtomicRMWInst>(&I))
      plain(I, Modify->getPointerOperand(), Modify->getType(), Modify->getAlign(), true, true);
    else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
      plain(I, Exchange->getPointerOperand(), Exchange->getNewValOperand()->getType(),
            Exchange->getAlign(), true, true);
    else if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I))
      intrinsic(*Intrinsic);
  }

  void intrinsic(IntrinsicInst &I) {
    if (auto *Set = dyn_cast<AnyMemIntrinsic>(&I)) {
      if (auto *Transfer = dyn_cast<AnyMemTransferInst>(&I))
        bytes(I, Transfer->getRawSource(), Transfer->getLength(), false);
      bytes(I, Set->getRawDest(), Set->getLength(), true);
      return;
    }
    switch (I.getIntrinsicID()) {
    case Intrinsic::masked_load:
    case Intrinsic::masked_gather:
      return lanes(I, I.getArgOperand(0), I.getArgOperand(2), I.getType(), false);
    case Intrinsic::masked_store:
    case Intrinsic::masked_scatter:
      return lanes(I, I.getArgOperand(1), I.getArgOperand(3), I.getArgOperand(0)->getType(), true);
    case Intrinsic::masked_expandload:
      return lanes(I, I.getArgOperand(0), I.getArgOperand(1), I.getType(), false, true);
    case Intrinsic::masked_compressstore:
      return lanes(I, I.getArgOperand(1), I.getArgOperand(2), I.getArgOperand(0)->getType(), true,
                   true);
    default:
      return;
    }
  }

  /// Is it a place in memory that others could see, or too large for registers?
  bool counts(Value *Pointer) {
    if (Pointer->getType()->getScalarType()->getPointerAddressSpace() != 0 ||
        Pointer->isSwiftError())
      return false;
    const auto *Variable = dyn_cast<AllocaInst>(getUnderlyingObject(Pointer));
    if (!Variable)
      return true;
    auto [Entry, IsNew] = Own.try_emplace(Variable, false);
    if (IsNew)
      Entry->second = isCounted(*Variable);
    return Entry->second;
  }

  void plain(Instruction &I, Value *Pointer, Type *Type, Align Alignment, bool Read, bool Write) {
    TypeSize Size = Layout.getTypeStoreSize(Type);
    if (!counts(Pointer) || Size.isScalable() || Size.getFixedValue() == 0)
      return;
    const uint64_t Bytes = Size.getFixedValue();
    const unsigned Class = 2 * Classes.of(I, Pointer, Type->isVectorTy() ? Bytes : 0);
    if (Read)
      join({&I, Pointer, Bytes, Alignment.value(), Class});
    if (Write)
      join({&I, Pointer, Bytes, Alignment.value(), Class + 1});
  }

  void bytes(Instruction &I, Value *Pointer, Value *Size, bool Write) {
    if (!counts(Pointer))
      return;
    const auto *Constant = dyn_cast<ConstantInt>(Size);
    if (Constant && Constant->isZero())
      return;
    if (Constant && Constant->getZExtValue() <= LargestAccess)
      join({&I, Pointer, Constant->getZExtValue(), 1, kind(I, Pointer, Write)});
    else
      Found.Ranges.push_back({&I, Pointer, Size, kind(I, Pointer, Write)});
  }

  void lanes(Instruction &I, Value *Pointer, Value *Mask, Type *Type, bool Write,
             bool Packed = false) {
    auto *Vector = dyn_cast<FixedVectorType>(Type);
    if (!Vector || Vector->getNumElements() > 64 || !counts(Pointer))
      return;
    Found.Lanes.push_back({&I, Pointer, Mask, Layout.getTypeStoreSize(Vector->getElementType()),
                           Vector->getNumElements(), kind(I, Pointer, Write), Packed});
  }

  /// Puts an access into the group of this segment whose span stays within a line's length.
  void join(Access New) {
    size_t Last = Found.Groups.size();
    size_t First = std::max(SegmentBegin, Last - std::min<size_t>(Last, MostGroups));
    for (size_t Index = First; Index < Last; ++Index) {
      AccessGroup &Group = Found.Groups[Index];
      const Access &Leader = Group.Members.front();
      std::optional<int64_t> Apart =
          Classes.distance(*Leader.At, Leader.Pointer, *New.At, New.Pointer);
      if (!Apart)
        continue;
      New.Offset = *Apart;
      auto [Low, High] = spanOf(Group);
      Low = std::min(Low, New.Offset);
      High = std::max(High, New.Offset + static_cast<int64_t>(New.Size));
      if (High - Low > PROPHET_MEMORY_LINE)
        continue;
      Group.Members.push_back(New);
      return;
    }
    New.Offset = 0;
    AccessGroup &Group = Found.Groups.emplace_back();
    Group.Members.push_back(New);
    Group.Segment = Segment;
  }

  /// Adds a group with what is known of how it moves. Filters that follow its front tell of what it
  /// does there: if the front does not write, what writes behind it goes by itself.
  void addSteady(AccessGroup Group) {
    Classes.findSteady(Group);
    if (!Group.isSteady() && joinNeighbour(Group))
      return;
    AccessGroup Reads, Writes;
    Reads.Segment = Writes.Segment = Group.Segment;
    if (Group.Step != 0 && std::abs(Group.Step) <= PROPHET_MEMORY_LINE)
      for (const Access &Member : Group.Members)
        (Member.Kind % 2 ? Writes : Reads).Members.push_back(Member);
    if (Writes.Members.empty() || Reads.Members.empty() ||
        frontOf(Writes, Group.upwards()) == frontOf(Group, Group.upwards())) {
      Found.Groups.push_back(std::move(Group));
      return;
    }
    for (AccessGroup *Part : {&Reads, &Writes}) {
      const int64_t First = Part->Members.front().Offset;
      for (Access &Member : Part->Members)
        Member.Offset -= First;
      Classes.findSteady(*Part);
      Found.Groups.push_back(std::move(*Part));
    }
  }

  /// Adds the group to one of its segment that it lies beside, if neither moves steadily and both
  /// only read or only write: lines are told of one after the other, reads first.
  bool joinNeighbour(const AccessGroup &Group) {
    const Access &Leader = Group.Members.front();
    const size_t End = Found.Groups.size();
    for (size_t Index = End - std::min(End, MostGroups); Index < End; ++Index) {
      AccessGroup &Other = Found.Groups[Index];
      const Access &First = Other.Members.front();
      if (Other.Segment != Group.Segment || Other.isSteady() || !isOneWay(Other, Group))
        continue;
      std::optional<int64_t> Apart =
          Classes.distance(*First.At, First.Pointer, *Leader.At, Leader.Pointer);
      if (!Apart || !areBeside(spanOf(Other), spanOf(Group), *Apart))
        continue;
      for (Access Member : Group.Members) {
        Member.Offset += *Apart;
        Other.Members.push_back(Member);
      }
      return true;
    }
    return false;
  }

  static bool isOneWay(const AccessGroup &First, const AccessGroup &Second) {
    const unsigned Write = First.Members.front().Kind % 2;
    const auto IsSo = [=](const Access &Member) { return Member.Kind % 2 == Write; };
    return all_of(First.Members, IsSo) && all_of(Second.Members, IsSo);
  }

  static bool areBeside(std::pair<int64_t, int64_t> First, std::pair<int64_t, int64_t> Second,
                        int64_t Apart) {
    Second.first += Apart, Second.second += Apart;
    const int64_t Gap = std::max(Second.first - First.second, First.first - Second.second);
    return Gap < PROPHET_MEMORY_LINE &&
           std::max(First.second, Second.second) - std::min(First.first, Second.first) <=
               WidestGroup;
  }

  /// The end of what is accessed, in a direction.
  static int64_t frontOf(const AccessGroup &Group, bool Upwards) {
    int64_t Front = 0;
    for (const Access &Member : Group.Members) {
      const int64_t End =
          Upwards ? Member.Offset + static_cast<int64_t>(Member.Size) : -Member.Offset;
      Front = &Member == Group.Members.begin() ? End : std::max(Front, End);
    }
    return Front;
  }

  const DataLayout &Layout;
  AccessClasses Classes;
  size_t SegmentBegin = 0;
  unsigned Segment = 0;
  bool HasOperations = false;             ///< in the segment
  DenseMap<const AllocaInst *, bool> Own; ///< whether they count
};

} // namespace

std::pair<int64_t, int64_t> spanOf(const AccessGroup &Group) {
  int64_t Low = 0, High = 0;
  for (const Access &Member : Group.Members) {
    Low = std::min(Low, Member.Offset);
    High = std::max(High, Member.Offset + static_cast<int64_t>(Member.Size));
  }
  return {Low, High};
}

bool isCounted(const AllocaInst &Variable) {
  std::optional<TypeSize> Size = Variable.getAllocationSize(Variable.getModule()->getDataLayout());
  return !Size || Size->isScalable() || Size->getFixedValue() > PROPHET_MEMORY_LINE ||
         (!isHandle(Variable) && PointerMayBeCaptured(&Variable, true, true));
}

StringRef calledBy(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Called = Call ? Call->getCalledFunction() : nullptr;
  return Called ? Called->getName() : StringRef();
}

bool isOutsideCall(const Instruction &I) { return isa<CallBase>(I) && !isa<IntrinsicInst>(I); }

bool FunctionAccesses::empty() const {
  return Groups.empty() && Lanes.empty() && Ranges.empty() &&
         none_of(Operations, [](const struct Operations &Some) { return Some.Flops > 0; });
}

FunctionAccesses findAccesses(Function &F) {
  FunctionAccesses Found = Finder(F).Found;
  Found.Recurrences = findRecurrences(F);
  markThreadNumbers(F, Found);
  return Found;
}

} // namespace prophet
