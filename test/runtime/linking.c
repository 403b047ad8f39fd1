// Shared, static, with either compiler, and with the twin that does nothing.
// RUN: %clang -O2 -I%include -I%S/Inputs %s -L%libdir -lprophet -Wl,-rpath,%libdir -o %t && env PROPHET_OUT=%t.json %t && python3 %S/Inputs/show_tree.py %t.json | FileCheck %s
// RUN: %clang -O2 -I%include -I%S/Inputs %s %libdir/libprophet.a -o %t && env PROPHET_OUT=%t.json %t && python3 %S/Inputs/show_tree.py %t.json | FileCheck %s
// RUN: %clang -O2 -static -I%include -I%S/Inputs %s %libdir/libprophet.a -o %t && env PROPHET_OUT=%t.json %t && python3 %S/Inputs/show_tree.py %t.json | FileCheck %s
// RUN: %clang -std=c89 -pedantic-errors -Wall -Wextra -Werror -I%include -fsyntax-only -x c %include/prophet/profile.h
// RUN: %clangxx -std=c++98 -pedantic-errors -Wall -Wextra -Werror -I%include -fsyntax-only -x c++ %include/prophet/profile.h
// RUN: %clangxx -std=c++11 -pedantic-errors -Wall -Wextra -Werror -I%include -fsyntax-only -x c++ %include/prophet/profile.h
// RUN: rm %t.json
// RUN: %clang -O2 -I%include -I%S/Inputs %s -L%libdir -lprophet-noop -Wl,-rpath,%libdir -o %t && env PROPHET_OUT=%t.json %t && not ls %t.json
// RUN: %clang -O2 -static -I%include -I%S/Inputs %s %libdir/libprophet-noop.a -o %t && env PROPHET_OUT=%t.json %t && not ls %t.json
//
// Exactly the symbols of prophet/profile.h leave the libraries.
// RUN: llvm-nm --defined-only -D -g -j %libdir/libprophet.so.1 | sort | FileCheck %s --check-prefix=SYMBOLS
// RUN: llvm-nm --defined-only -D -g -j %libdir/libprophet-noop.so.1 | sort | FileCheck %s --check-prefix=SYMBOLS
// RUN: llvm-nm --defined-only -g -j %libdir/libprophet.a | grep -v '^$' | grep -v ':' | sort | FileCheck %s --check-prefix=SYMBOLS
// RUN: llvm-readelf -d %libdir/libprophet.so | FileCheck %s --check-prefix=SONAME
//
// CHECK: complete: true
// CHECK: tree: root[U loop[3*task[U]] U]
// SYMBOLS: {{^}}__prophet_close_lock
// SYMBOLS-NEXT: __prophet_close_section
// SYMBOLS-NEXT: __prophet_close_task
// SYMBOLS-NEXT: __prophet_lock_begin
// SYMBOLS-NEXT: __prophet_lock_end
// SYMBOLS-NEXT: __prophet_next_task
// SYMBOLS-NEXT: __prophet_open_lock
// SYMBOLS-NEXT: __prophet_open_section
// SYMBOLS-NEXT: __prophet_open_task
// SYMBOLS-NEXT: __prophet_pause
// SYMBOLS-NEXT: __prophet_resume
// SYMBOLS-NEXT: __prophet_section_begin
// SYMBOLS-NEXT: __prophet_section_end
// SYMBOLS-NEXT: __prophet_spawn_begin
// SYMBOLS-NEXT: __prophet_task_begin
// SYMBOLS-NEXT: __prophet_task_end
// SYMBOLS-NEXT: __prophet_tasks_end
// SYMBOLS-NEXT: prophet_runtime_get_api
// SYMBOLS-NEXT: prophet_runtime_linked
// SYMBOLS-NOT: {{.}}
// SONAME: SONAME{{.*}}[libprophet.so.1]
#include "annotate.h"

/* Names that the runtime also uses inside must not clash. */
int text_init(void);
int text_init(void) { return 0; }

int main(void) {
  SECTION("loop");
  for (int i = 0; i < 3; ++i) {
    TASK;
    work(1000);
  }
  return text_init();
}
