//===- OpenMPOutlet.cpp - Annotations become OpenMP -----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/OpenMPOutlet.h"

#include "rewriter/AtomicForm.h"
#include "rewriter/ConcurrentParts.h"
#include "rewriter/DataSharing.h"
#include "rewriter/OpenMPTasks.h"
#include "rewriter/OpenMPWording.h"
#include "rewriter/TripCount.h"

#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace prophet {

OpenMPOutlet::OpenMPOutlet(CompilerInstance &Compiler, const Plan *P, EditHeaders Headers)
    : Compiler(Compiler), SM(Compiler.getSourceManager()), P(P), Headers(Headers), Edits(SM) {}

DiagnosticBuilder OpenMPOutlet::say(DiagnosticsEngine::Level Level, SourceLocation Loc,
                                    const std::string &Message) {
  DiagnosticsEngine &Diags = Compiler.getDiagnostics();
  return Diags.Report(Loc, Diags.getDiagnosticIDs()->getCustomDiagID(
                               static_cast<DiagnosticIDs::Level>(Level), "%0"))
         << Message;
}

void OpenMPOutlet::finish(const AnnotationList &All) {
  Annotations = &All;
  Statements = findAnnotatedStatements(Compiler.getASTContext(), All);
  for (unsigned Number = 0; Number != All.size(); ++Number)
    if (All[Number].What.Kind == DirectiveKind::Atomic && !atomicForm(Number))
      OnlyForms = false;
  for (unsigned Number = 0; Number != All.size(); ++Number)
    if (mayEdit(All[Number]))
      translate(Number);
  examineTasks();
  Edited = Edits.apply();
}

/// The serial program has run every task at the end of the function that makes it.
void OpenMPOutlet::examineTasks() {
  TasksExaminer Examiner(*Annotations, Statements, Compiler.getASTContext());
  TasksExamination Found = Examiner.examine();
  for (const TaskWarning &W : Found.Warnings)
    warn(W.Loc, W.Message);
  for (const TaskWarning &W :
       examineConcurrentParts(*Annotations, Statements, Compiler.getASTContext()))
    warn(W.Loc, W.Message);
  for (SourceLocation Loc : Found.WaitBefore) {
    if (Loc.isMacroID())
      warn(SM.getExpansionLoc(Loc), "tasks may still run when this is left here; put '#pragma "
                                    "prophet taskwait' before it");
    else if (Headers == EditHeaders::Yes || SM.isInMainFile(Loc))
      Edits.insertLine(Loc, "#pragma omp taskwait");
  }
}

/// Whether the annotation's line can be replaced where it stands.
bool OpenMPOutlet::mayEdit(const Annotation &A) {
  if (A.Hash.isMacroID()) {
    StringRef Macro = Lexer::getImmediateMacroName(A.Hash, SM, Compiler.getLangOpts());
    if (LeftHeaders.insert("macro " + Macro.str()).second)
      warn(SM.getExpansionLoc(A.Hash), "the annotation comes from the macro '" + Macro.str() +
                                           "' and stays as it is; write the OpenMP pragma into "
                                           "the macro by hand");
    return false;
  }
  if (Headers == EditHeaders::Yes || SM.isInMainFile(A.Hash))
    return true;
  if (LeftHeaders.insert(SM.getFilename(A.Hash).str()).second)
    warn(A.Begin, "the annotations of this file stay as they are: only the main file is written; "
                  "'prophet apply --in-place' changes headers, too");
  return false;
}

const SitePlan *OpenMPOutlet::planFor(const Annotation &A) const {
  PresumedLoc At = SM.getPresumedLoc(SM.getExpansionLoc(A.Hash));
  return P && At.isValid() ? P->find(At.getFilename(), At.getLine()) : nullptr;
}

/// The end of the pragma's last token; a comment after it stays.
static SourceLocation pragmaEnd(const Annotation &A, Preprocessor &PP) {
  const SourceManager &SM = PP.getSourceManager();
  if (A.Begin.isMacroID()) // _Pragma("...")
    return PP.getLocForEndOfToken(SM.getExpansionRange(A.Begin).getEnd());
  auto [File, Offset] = SM.getDecomposedLoc(A.Hash);
  StringRef Buffer = SM.getBufferData(File);
  Lexer Raw(SM.getLocForStartOfFile(File), PP.getLangOpts(), Buffer.begin(),
            Buffer.begin() + Offset, Buffer.end());
  SourceLocation End = A.Hash;
  Token Tok;
  for (Raw.LexFromRawLexer(Tok); Tok.isNot(tok::eof); Raw.LexFromRawLexer(Tok)) {
    if (Tok.isAtStartOfLine() && Tok.getLocation() != A.Hash)
      break;
    End = Tok.getEndLoc();
  }
  return End;
}

/// Puts `Pragma`, of one or more lines, in the annotation's place; nothing but an empty line where
/// it is empty. Lines that the annotation was continued on stay, empty.
void OpenMPOutlet::put(const Annotation &A, const std::string &Pragma) {
  Preprocessor &PP = Compiler.getPreprocessor();
  SourceLocation End = pragmaEnd(A, PP);
  std::string Text = Pragma;
  if (A.Begin.isMacroID()) {
    Text.clear();
    SmallVector<StringRef, 2> Lines;
    StringRef(Pragma).split(Lines, '\n', -1, /*KeepEmpty=*/false);
    for (StringRef Line : Lines)
      Text += (Text.empty() ? "" : " ") + ("_Pragma(\"" + Lexer::Stringify(Line.substr(8)) + "\")");
  }
  size_t Continued = Edits.text(A.Hash, End).count('\n');
  Edits.replace(A.Hash, End, Text + std::string(Continued, '\n'));
}

void OpenMPOutlet::translate(unsigned Number) {
  const Annotation &A = (*Annotations)[Number];
  const std::string Clauses = clausesText(A.What);
  Twin Old = findTwin(A, SM);
  if (Old && A.What.Kind != DirectiveKind::ParallelFor)
    return put(A, "");
  switch (A.What.Kind) {
  case DirectiveKind::ParallelFor:
    return translateLoop(Number);
  case DirectiveKind::ParallelSections:
    return put(A, leaveSerial(A, planFor(A)) ? "" : openmp::parallelSections(Clauses));
  case DirectiveKind::Section:
    return put(A, "#pragma omp section");
  case DirectiveKind::ParallelTasks:
    return put(A, leaveSerial(A, planFor(A))
                      ? ""
                      : openmp::parallel(Clauses, openmp::Clauses::All) + "\n#pragma omp single");
  case DirectiveKind::Task:
    return translateTask(Number);
  case DirectiveKind::Taskwait:
    return put(A, "#pragma omp taskwait");
  case DirectiveKind::Critical:
  case DirectiveKind::Atomic:
    return put(A, criticalPragma(Number));
  case DirectiveKind::Pause:
  case DirectiveKind::Resume:
  case DirectiveKind::Barrier:
    return put(A, "");
  case DirectiveKind::Taskloop: // of OpenMP's own pragmas, which are not annotations here
  case DirectiveKind::Parallel:
  case DirectiveKind::TasksScope:
    return;
  }
}

/// Says why, where it is so.
bool OpenMPOutlet::leaveSerial(const Annotation &A, const SitePlan *Site) {
  if (A.What.find(ClauseKind::Cancel)) {
    remark(A.Begin, "stays serial: it may be left early, which no OpenMP loop can be; let the rest "
                    "of its iterations do nothing, and take out the clause 'cancel'");
    return true;
  }
  if (P && !Site)
    remark(A.Begin, "the profile has no such site: it never ran, or the source has changed since; "
                    "what is best for it is not known");
  if (Site && !Site->Note.empty())
    remark(A.Begin, Site->Note);
  return Site && Site->Serial;
}

std::string OpenMPOutlet::criticalPragma(unsigned Number) {
  const Annotation &A = (*Annotations)[Number];
  if (A.What.Kind == DirectiveKind::Critical)
    return "#pragma omp critical" + (A.What.name().empty() ? "" : "(" + A.What.name() + ")");
  auto Directive = atomicForm(Number);
  if (!Directive)
    remark(A.Begin, "OpenMP has no atomic of this form; it becomes a critical section");
  else if (!OnlyForms)
    remark(A.Begin, "becomes a critical section, as an atomic elsewhere in the file does: OpenMP's "
                    "atomics and critical sections do not exclude each other");
  return OnlyForms ? "#pragma omp " + *Directive : "#pragma omp critical(prophet_atomic)";
}

std::optional<std::string> OpenMPOutlet::atomicForm(unsigned Number) {
  return atomicDirective(Statements[Number].Statement, Compiler.getASTContext());
}

void OpenMPOutlet::translateLoop(unsigned Number) {
  const Annotation &A = (*Annotations)[Number];
  const AnnotatedStatement &Found = Statements[Number];
  Twin Old = findTwin(A, SM);
  const SitePlan *Site = planFor(A);
  bool Serial = leaveSerial(A, Site);
  if (Serial || !loopIn(Found.Statement)) {
    if (Old)
      Edits.replace(Old.Begin, Old.End, "");
    return put(A, "");
  }
  if (A.What.find(ClauseKind::Nowait))
    remark(A.Begin, "'nowait' is left out: it needs one parallel region around this loop and the "
                    "next; write '#pragma omp parallel' around both, and '#pragma omp for nowait' "
                    "here, to have it");
  std::string Pragma = loopPragma(A, Found, Old);
  if (!Old)
    return put(A, Pragma);
  put(A, "");
  Edits.replace(Old.Begin, Old.End, Pragma);
}

static std::string joined(const std::vector<std::string> &Names) {
  std::string List;
  for (const std::string &Name : Names)
    List += (List.empty() ? "" : ", ") + Name;
  return List;
}

/// Adds to `Clauses` what was proved, and says the rest.
void OpenMPOutlet::examine(const Annotation &A, const AnnotatedStatement &Found,
                           std::string &Clauses) {
  LoopSharing Sharing = examineLoop(Found, A.What, Clauses, *Annotations, Compiler.getASTContext());
  if (!Sharing.Private.empty())
    Clauses += " private(" + joined(Sharing.Private) + ")";
  if (!Sharing.LastPrivate.empty())
    Clauses += " lastprivate(" + joined(Sharing.LastPrivate) + ")";
  for (const SharingFinding &F : Sharing.Findings)
    warn(F.Loc, F.Message);
}

std::string OpenMPOutlet::loopPragma(const Annotation &A, const AnnotatedStatement &Found,
                                     const Twin &Old) {
  const SitePlan *Site = planFor(A);
  const Clause *Written = A.What.find(ClauseKind::Schedule);
  std::string Schedule = Site && !Site->Schedule.empty() ? Site->Schedule
                         : Written                       ? Written->Argument
                                                         : "";
  std::string Clauses = Old ? Old.clauses() : clausesText(A.What);
  size_t Given = Clauses.size();
  examine(A, Found, Clauses);
  if (Site && Site->Guard && Clauses.find("if(") == std::string::npos)
    Clauses += guard(A, Found, *Site);
  if (!Old)
    return openmp::parallelFor(Schedule, Clauses);
  std::string Text = Schedule.empty() ? Old.Text : Old.withSchedule(Schedule);
  return Text + Clauses.substr(Given);
}

std::string OpenMPOutlet::guard(const Annotation &A, const AnnotatedStatement &Found,
                                const SitePlan &Site) {
  std::string Least = std::to_string(*Site.Guard);
  auto Count = A.What.collapsed() == 1
                   ? tripCountText(loopIn(Found.Statement), Compiler.getASTContext())
                   : std::nullopt;
  if (Count)
    return " if(" + *Count + " > " + Least + ")";
  remark(A.Begin, "runs of up to " + Least +
                      " iterations lose; add a clause 'if' that is false for "
                      "them");
  return "";
}

void OpenMPOutlet::translateTask(unsigned Number) {
  const Annotation &A = (*Annotations)[Number];
  std::string Clauses = clausesText(A.What);
  std::vector<TaskWarning> Warnings;
  TasksExaminer Examiner(*Annotations, Statements, Compiler.getASTContext());
  std::vector<std::string> Named = variablesInClauses(Clauses), Shared;
  for (const std::string &Name : Examiner.sharedVariables(Number, Warnings))
    if (!llvm::is_contained(Named, Name))
      Shared.push_back(Name);
  for (const TaskWarning &W : Warnings)
    warn(W.Loc, W.Message);
  if (!Shared.empty())
    Clauses += " shared(" + joined(Shared) + ")";
  put(A, "#pragma omp task" + openmp::keptClauses(Clauses, openmp::Clauses::All));
}

} // namespace prophet
