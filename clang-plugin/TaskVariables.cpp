//===- TaskVariables.cpp - Variables that tasks declare ---------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "clang-plugin/TaskVariables.h"

#include "clang-plugin/MemoryFilters.h"
#include "prophet/memory.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <optional>

using namespace llvm;

namespace prophet {
namespace {

bool beginsParallel(const Instruction &I) { return calledBy(I) == "__prophet_parallel_begin"; }

bool beginsTask(const Instruction &I) {
  return is_contained({"__prophet_task_begin", "__prophet_spawn_begin", "__prophet_open_task",
                       "__prophet_next_task", "__prophet_parallel_begin"},
                      calledBy(I));
}

/// Does the task end where the next one begins, or else the section ends?
bool isFollowed(const Instruction &Begin) { return calledBy(Begin) == "__prophet_next_task"; }

bool endsTask(const Instruction &I) {
  return is_contained({"__prophet_task_end", "__prophet_close_task", "__prophet_close_section",
                       "__prophet_parallel_end"},
                      calledBy(I));
}

/// May `End` end what `Begin` has begun?
bool ends(const Instruction &End, const Instruction &Begin) {
  const StringRef Call = calledBy(End);
  return beginsParallel(Begin) ? Call == "__prophet_parallel_end"
         : isFollowed(Begin)
             ? Call == "__prophet_close_section"
             : Call != "__prophet_close_section" && Call != "__prophet_parallel_end";
}

} // namespace

TaskVariables::TaskVariables(const Function &F) {
  bool Any = false;
  for (const BasicBlock &Block : F)
    for (const Instruction &I : Block)
      if (beginsTask(I) || endsTask(I)) {
        Changes[&Block].push_back(&I);
        Any |= beginsTask(I);
      }
  if (Any)
    follow(F.getEntryBlock());
}

const TaskVariables::Task *TaskVariables::begin(const Instruction &Begin,
                                                const Task *Around) const {
  for (const std::unique_ptr<Task> &Known : Tasks)
    if (Known->Begin == &Begin && Known->Around == Around)
      return Known.get();
  Tasks.push_back(std::make_unique<Task>(Task{&Begin, Around}));
  return Tasks.back().get();
}

/// The innermost task that is open behind an instruction before which `Open` is.
const TaskVariables::Task *TaskVariables::behind(const Instruction &I, const Task *Open) const {
  const bool Followed = Open && isFollowed(*Open->Begin);
  if (beginsTask(I))
    return begin(I, Followed && isFollowed(I) ? Open->Around : Open);
  return Open && endsTask(I) && ends(I, *Open->Begin) ? Open->Around : Open;
}

void TaskVariables::follow(const BasicBlock &Entry) {
  SmallVector<const BasicBlock *, 16> Work{&Entry};
  DenseSet<const BasicBlock *> Differ;
  Open[&Entry] = nullptr;
  while (!Work.empty()) {
    const BasicBlock *Block = Work.pop_back_val();
    const Task *Now = Open[Block];
    if (const auto Found = Changes.find(Block); Found != Changes.end())
      for (const Instruction *Change : Found->second)
        Now = behind(*Change, Now);
    for (const BasicBlock *Next : successors(Block)) {
      if (Differ.contains(Next))
        continue;
      auto [Known, IsNew] = Open.try_emplace(Next, Now);
      if (IsNew) {
        Work.push_back(Next);
      } else if (Known->second != Now) {
        Differ.insert(Next);
        Known->second = nullptr;
        Work.push_back(Next);
      }
    }
  }
}

/// The innermost task that is open before `I`.
const TaskVariables::Task *TaskVariables::openAt(const Instruction &I) const {
  const Task *Now = Open.lookup(I.getParent());
  if (const auto Found = Changes.find(I.getParent()); Found != Changes.end())
    for (const Instruction *Change : Found->second)
      if (Change->comesBefore(&I))
        Now = behind(*Change, Now);
  return Now;
}

SmallPtrSet<const Instruction *, 2> TaskVariables::tasksOf(const AllocaInst &Variable) const {
  SmallPtrSet<const Instruction *, 2> Found;
  for (const User *Use : Variable.users()) {
    const auto *Start = dyn_cast<IntrinsicInst>(Use);
    if (!Start || Start->getIntrinsicID() != Intrinsic::lifetime_start)
      continue;
    const Task *Its = openAt(*Start);
    if (!Its)
      return {};
    if (beginsParallel(*Its->Begin))
      addInside(Its, Found);
    else
      Found.insert(Its->Begin);
  }
  return Found;
}

/// Tasks inside, but for those inside others, which share what these have.
void TaskVariables::addInside(const Task *Parallel,
                              SmallPtrSet<const Instruction *, 2> &Found) const {
  for (const std::unique_ptr<Task> &Inner : Tasks)
    if (Inner->Around == Parallel && beginsParallel(*Inner->Begin))
      addInside(Inner.get(), Found);
    else if (Inner->Around == Parallel)
      Found.insert(Inner->Begin);
}

/// (place, bytes of an element, first, count, less): the last three are numbers of elements.
static void tellPrivateVariable(CallInst &Call, FunctionCallee Own) {
  IRBuilder<> B(&Call);
  const auto Number = [&](unsigned Argument) {
    return B.CreateSExtOrTrunc(Call.getArgOperand(Argument), B.getInt64Ty());
  };
  Value *First = B.CreateMul(Number(2), Number(1));
  Value *Address = B.CreateAdd(B.CreatePtrToInt(Call.getArgOperand(0), B.getInt64Ty()), First);
  Value *Count =
      B.CreateBinaryIntrinsic(Intrinsic::smax, B.CreateSub(Number(3), Number(4)), B.getInt64(0));
  callRuntime(B, Own, {Address, B.CreateMul(Count, Number(1))});
}

/// The runtime's function for what the front end has put where a region begins or ends.
static std::optional<unsigned> regionChange(const Instruction &I) {
  return StringSwitch<std::optional<unsigned>>(calledBy(I))
      .Case("__prophet_parallel_begin", PROPHET_MEMORY_PARALLEL)
      .Case("__prophet_single_begin", PROPHET_MEMORY_SINGLE)
      .Cases("__prophet_parallel_end", "__prophet_single_end", PROPHET_MEMORY_REGION_END)
      .Default(std::nullopt);
}

void tellPrivateVariables(Function &F, const TaskInterface *Runtime) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    const std::optional<unsigned> Change = regionChange(I);
    auto *Call = Change || calledBy(I) == "__prophet_own" ? dyn_cast<CallInst>(&I) : nullptr;
    if (!Call)
      continue;
    IRBuilder<> B(Call);
    if (Runtime && Change)
      callRuntime(B, Runtime->Region, {B.getInt32(*Change)});
    else if (Runtime)
      tellPrivateVariable(*Call, Runtime->Own);
    Call->eraseFromParent();
  }
}

void tellTaskVariables(Function &F, FunctionCallee Own) {
  const TaskVariables Tasks(F);
  if (Tasks.empty())
    return;
  const DataLayout &Layout = F.getParent()->getDataLayout();
  Type *Long = Type::getInt64Ty(F.getContext());
  for (Instruction &I : F.getEntryBlock()) {
    auto *Variable = dyn_cast<AllocaInst>(&I);
    const std::optional<TypeSize> Size =
        Variable && isCounted(*Variable) ? Variable->getAllocationSize(Layout) : std::nullopt;
    if (!Size || Size->isScalable())
      continue;
    for (const Instruction *Begin : Tasks.tasksOf(*Variable)) {
      if (Begin->isTerminator() ||
          (Begin->getParent() == Variable->getParent() && Begin->comesBefore(Variable)))
        continue;
      IRBuilder<> B(const_cast<Instruction *>(Begin->getNextNode()));
      callRuntime(
          B, Own,
          {B.CreatePtrToInt(Variable, Long), ConstantInt::get(Long, Size->getFixedValue())});
    }
  }
}

} // namespace prophet
