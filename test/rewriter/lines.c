// RUN: %clang-prophet -fsyntax-only -Xclang -verify %s
// RUN: %prophet-rewrite %s -o %t.c -- -Xclang -verify

// What the line itself has wrong is reported at the word that is wrong.

void refused(int n) {
// expected-error@+1 {{unknown directive 'critcal'; did you mean 'critical'?}}
#pragma prophet critcal
// expected-error@+1 {{unknown directive 'banana'; known are: parallel, critical, section, task, taskwait, atomic, barrier, pause, resume}}
#pragma prophet banana
// expected-error@+1 {{'#pragma prophet' needs a directive}}
#pragma prophet
// expected-error@+1 {{'#pragma prophet parallel' needs 'for', 'sections' or 'tasks' after it}}
#pragma prophet parallel
// expected-error@+1 {{unknown directive 'parallel' with 'task'; did you mean 'tasks'?}}
#pragma prophet parallel task
// expected-error@+1 {{'taskwait' takes nothing after it}}
#pragma prophet taskwait now
// expected-error@+1 {{clause 'nowait' is not allowed on '#pragma prophet task'; allowed are: name, private, firstprivate, shared, default, if}}
#pragma prophet task nowait
// expected-error@+1 {{unknown directive 'for'; did you mean 'parallel for'?}}
#pragma prophet for
// expected-error@+1 {{unknown clause 'shedule'; did you mean 'schedule'?}}
#pragma prophet parallel for shedule(static)
// expected-error@+1 {{clause 'collapse' takes the number of loops, written in digits}}
#pragma prophet parallel for collapse(all)
// expected-error@+1 {{expected ')' to close clause 'name'}}
#pragma prophet parallel for name(rows
// expected-error@+1 {{unknown schedule 'dynamik'; did you mean 'dynamic'?}}
#pragma prophet parallel for schedule(dynamik)
  for (int i = 0; i < n; i++)
    ;
}
