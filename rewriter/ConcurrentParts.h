//===- ConcurrentParts.h - What tasks and sections share --------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Variables that one part of a program writes while another may use them: two
// parts of `parallel sections`, a task and what follows it before a `taskwait`.
//
//   #pragma prophet task
//   a = fib(n - 1);
//   long r = a + 1;      // 'a' is used while the task may still write it
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/AnnotatedStatements.h"
#include "rewriter/OpenMPTasks.h"

namespace prophet {

/// Of all `parallel sections` and all tasks; in program order for each.
std::vector<TaskWarning> examineConcurrentParts(const AnnotationList &Annotations,
                                                const AnnotatedStatements &Statements,
                                                clang::ASTContext &Context);

} // namespace prophet
