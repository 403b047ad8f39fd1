//===- TaskVariables.h - Variables that tasks declare -----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <memory>
#include <vector>

namespace prophet {

/// A function's variables whose lives begin in a task, or around it in an OpenMP `parallel`: of
/// these each of OpenMP's threads has its own, though the serial program has all tasks' in one
/// place. Compilers tell where lives begin when they optimise; without that none is known to.
class TaskVariables {
public:
  explicit TaskVariables(const llvm::Function &F);

  bool empty() const { return Tasks.empty(); }

  /// The calls that begin the tasks in which the variable's life begins, or those inside the
  /// `parallel` in which it does: copies of one where a loop is unrolled. None if it begins outside
  /// of these, too.
  llvm::SmallPtrSet<const llvm::Instruction *, 2> tasksOf(const llvm::AllocaInst &Variable) const;

private:
  /// A task that is open, or a `parallel`, with the one around it; each is known by its first
  /// instruction.
  struct Task {
    const llvm::Instruction *Begin;
    const Task *Around;
  };

  const Task *begin(const llvm::Instruction &Begin, const Task *Around) const;
  const Task *behind(const llvm::Instruction &I, const Task *Open) const;
  void follow(const llvm::BasicBlock &Entry);
  const Task *openAt(const llvm::Instruction &I) const;
  void addInside(const Task *Parallel,
                 llvm::SmallPtrSet<const llvm::Instruction *, 2> &Found) const;

  mutable std::vector<std::unique_ptr<Task>> Tasks;
  /// What begins and ends tasks, in order.
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<const llvm::Instruction *, 2>> Changes;
  /// The tasks that are open where blocks begin; none where ways there differ in that.
  llvm::DenseMap<const llvm::BasicBlock *, const Task *> Open;
};

/// Has the runtime know, where a task begins, which variables it declares. \pre filters are in
/// place: they take the call for none of the program's.
void tellTaskVariables(llvm::Function &F, llvm::FunctionCallee Own);

struct TaskInterface {
  llvm::FunctionCallee Own, Region;
};

/// Makes calls of the runtime of those that the front end has added for what clauses make private
/// (rewriter/OwnVariables.h), and around OpenMP's `parallel` and `single`. Null: where nothing is
/// to be told, and the calls only go. The same precondition; behind tellTaskVariables().
void tellPrivateVariables(llvm::Function &F, const TaskInterface *Runtime);

} // namespace prophet
