//===- SourceEdits.cpp - Changes of source files, line by line ------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/SourceEdits.h"

#include "rewriter/ClangCompat.h"

using namespace clang;

namespace prophet {

static std::string pathOf(const SourceManager &SM, FileID File) {
  auto Entry = SM.getFileEntryRefForID(File);
  return Entry ? Entry->getName().str() : "";
}

void SourceEdits::replace(SourceLocation Begin, SourceLocation End, std::string Text) {
  auto [File, Offset] = SM.getDecomposedLoc(Begin);
  auto &[FirstId, Changes] = Files[pathOf(SM, File)];
  if (FirstId.isInvalid())
    FirstId = File;
  Changes.try_emplace(Offset, Change{SM.getFileOffset(End), std::move(Text)});
}

void SourceEdits::insertLine(SourceLocation Loc, const std::string &Line) {
  auto [File, Offset] = SM.getDecomposedLoc(Loc);
  StringRef Buffer = SM.getBufferData(File);
  size_t Start = Buffer.take_front(Offset).rfind('\n') + 1; // npos + 1 is 0
  StringRef Before = Buffer.slice(Start, Offset);
  bool First = Before.trim(" \t").empty();
  std::string Added = (First ? "" : "\n") + Line + "\n";
  if (First)
    Added += Before;
  replace(Loc, Loc, std::move(Added));
}

StringRef SourceEdits::text(SourceLocation Begin, SourceLocation End) const {
  auto [File, Offset] = SM.getDecomposedLoc(Begin);
  return SM.getBufferData(File).slice(Offset, SM.getFileOffset(End));
}

EditedFile SourceEdits::apply(FileID File, const std::map<unsigned, Change> &Changes) const {
  StringRef Original = SM.getBufferData(File);
  std::string Name = pathOf(SM, File), Text, Marked;
  unsigned Copied = 0;
  for (const auto &[Begin, C] : Changes) {
    StringRef Kept = Original.slice(Copied, Begin), Old = Original.slice(Begin, C.End);
    (Text += Kept) += C.Text;
    (Marked += Kept) += C.Text;
    Copied = C.End;
    if (StringRef(C.Text).count('\n') == Old.count('\n'))
      continue;
    // The marker has a line of its own: after an added line, or at the end of the changed one.
    unsigned Line = SM.getLineNumber(File, C.End);
    bool AtLineEnd = startsWith(Original.substr(C.End).ltrim(" \t\r"), "\n");
    size_t LastLine = Marked.rfind('\n') + 1;
    if (AtLineEnd)
      Marked += "\n#line " + std::to_string(Line + 1);
    else
      Marked.insert(LastLine, "#line " + std::to_string(Line) + "\n");
  }
  Text += Original.substr(Copied);
  Marked += Original.substr(Copied);
  return {Name, Text, Marked};
}

std::vector<EditedFile> SourceEdits::apply() const {
  std::string Main = pathOf(SM, SM.getMainFileID());
  std::vector<EditedFile> Edited;
  if (!Files.count(Main))
    Edited.push_back(apply(SM.getMainFileID(), {}));
  for (const auto &[Path, InFile] : Files)
    Edited.insert(Path == Main ? Edited.begin() : Edited.end(), apply(InFile.first, InFile.second));
  return Edited;
}

} // namespace prophet
