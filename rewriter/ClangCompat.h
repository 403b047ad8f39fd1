//===- ClangCompat.h - What differs between LLVM versions -------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The front end is written for LLVM 19. Where 14, 15 or 16 say a thing in other
// words, both are here and nowhere else.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/Version.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Token.h"

#if CLANG_VERSION_MAJOR >= 17
#include "llvm/TargetParser/Triple.h"
#else
#include "llvm/ADT/Triple.h"
#endif

namespace prophet {

/// StringRef::starts_with and ends_with came with LLVM 16.
inline bool startsWith(llvm::StringRef Text, llvm::StringRef Prefix) {
  return Text.take_front(Prefix.size()) == Prefix;
}

inline bool endsWith(llvm::StringRef Text, llvm::StringRef Suffix) {
  return Text.take_back(Suffix.size()) == Suffix;
}

/// llvm::is_contained, which takes lists in braces since LLVM 17.
template <typename T> bool isOneOf(const T &Value, std::initializer_list<T> Values) {
  return llvm::is_contained(Values, Value);
}

#if CLANG_VERSION_MAJOR >= 18
const auto LinkageLanguageC = clang::LinkageSpecLanguageIDs::C;
#else
const auto LinkageLanguageC = clang::LinkageSpecDecl::lang_c;
#endif

#if CLANG_VERSION_MAJOR >= 18
const auto NormalArray = clang::ArraySizeModifier::Normal;
#else
const auto NormalArray = clang::ArrayType::Normal;
#endif

#if CLANG_VERSION_MAJOR >= 16
using OptionalFile = clang::OptionalFileEntryRef;
#else
using OptionalFile = llvm::Optional<clang::FileEntryRef>;
#endif

/// The base of our callbacks. Its one function keeps the name of Clang's, which is another in each
/// version, out of the plugin: the wrong Clang gets as far as saying that it is the wrong one.
class Callbacks : public clang::PPCallbacks {
  void HasInclude(clang::SourceLocation, llvm::StringRef, bool, OptionalFile,
                  clang::SrcMgr::CharacteristicKind) override {}
};

#if CLANG_VERSION_MAJOR >= 19
using ExternalDeclID = clang::GlobalDeclID;
#else
using ExternalDeclID = uint32_t;
#endif

/// A block with the same braces and floating-point options as `Old`.
inline clang::CompoundStmt *blockLike(clang::CompoundStmt *Old, clang::ASTContext &Context,
                                      llvm::ArrayRef<clang::Stmt *> Statements) {
#if CLANG_VERSION_MAJOR >= 15
  clang::FPOptionsOverride Options =
      Old->hasStoredFPFeatures() ? Old->getStoredFPFeatures() : clang::FPOptionsOverride();
  return clang::CompoundStmt::Create(Context, Statements, Options, Old->getLBracLoc(),
                                     Old->getRBracLoc());
#else
  return clang::CompoundStmt::Create(Context, Statements, Old->getLBracLoc(), Old->getRBracLoc());
#endif
}

/// Hears of `#include` lines, of which only the place matters.
class InclusionCallbacks : public Callbacks {
protected:
  /// From the `#` to the end of the file's name.
  virtual void included(clang::SourceRange Directive) = 0;

private:
#if CLANG_VERSION_MAJOR >= 15
  using IncludedFile = OptionalFile;
#else
  using IncludedFile = const clang::FileEntry *;
#endif
  void InclusionDirective(clang::SourceLocation Hash, const clang::Token &, llvm::StringRef, bool,
                          clang::CharSourceRange Name, IncludedFile, llvm::StringRef,
                          llvm::StringRef, const clang::Module *,
#if CLANG_VERSION_MAJOR >= 19
                          bool /*ModuleImported*/,
#endif
                          clang::SrcMgr::CharacteristicKind) override {
    included({Hash, Name.getEnd()});
  }
};

} // namespace prophet
