//===- Plan.cpp - What is decided for each annotated site -----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/Plan.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace prophet {

const SitePlan *Plan::find(const std::string &File, int Line) const {
  const SitePlan *SameName = nullptr;
  for (const SitePlan &S : Sites) {
    if (S.Line != Line)
      continue;
    if (S.File == File)
      return &S;
    if (llvm::sys::path::filename(S.File) == llvm::sys::path::filename(File))
      SameName = &S;
  }
  return SameName;
}

static bool fromJSON(const llvm::json::Value &V, SitePlan &S, llvm::json::Path P) {
  llvm::json::ObjectMapper O(V, P);
  int64_t Guard = -1;
  bool Whole = O && O.map("file", S.File) && O.map("line", S.Line) &&
               O.mapOptional("schedule", S.Schedule) && O.mapOptional("guard", Guard) &&
               O.mapOptional("serial", S.Serial) && O.mapOptional("note", S.Note);
  if (Guard >= 0)
    S.Guard = Guard;
  return Whole;
}

static bool fromJSON(const llvm::json::Value &V, Plan &P, llvm::json::Path Path) {
  llvm::json::ObjectMapper O(V, Path);
  return O && O.map("sites", P.Sites);
}

llvm::Expected<Plan> readPlan(const std::string &Path) {
  auto Buffer = llvm::MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!Buffer)
    return llvm::createStringError(Buffer.getError(), "%s: %s; name the plan's file", Path.c_str(),
                                   Buffer.getError().message().c_str());
  return llvm::json::parse<Plan>((*Buffer)->getBuffer());
}

} // namespace prophet
