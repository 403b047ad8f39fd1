// Libraries that are loaded, run and unloaded again, each where the one before it was.
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: %clang -shared -fPIC -O2 -DNAME='"first"' -I%include -I%S/Inputs %s -L%libdir -lprophet -Wl,-rpath,%libdir -o %t.dir/first.so
// RUN: %clang -shared -fPIC -O2 -DNAME='"other"' -I%include -I%S/Inputs %s -L%libdir -lprophet -Wl,-rpath,%libdir -o %t.dir/other.so
// RUN: %clang -O2 %s -ldl -o %t.dir/host
// RUN: env PROPHET_OUT=%t.json %t.dir/host %t.dir/first.so %t.dir/other.so && python3 %S/Inputs/show_tree.py %t.json | FileCheck %s
// CHECK: complete: true
// CHECK: tree: root[U first[{{.*}}task[U L(first){{.*}}]] U other[{{.*}}task[U L(other){{.*}}]] U]
//
// The handlers are still there: the program dies of its own signal, with a tree.
// RUN: rm %t.json && env PROPHET_OUT=%t.json python3 %S/Inputs/status.py SIGTERM %t.dir/host %t.dir/first.so kill
// RUN: python3 %S/Inputs/show_tree.py %t.json | FileCheck %s --check-prefix=KILLED
// KILLED: complete: false
// KILLED: tree: root[U first[{{.*}}task[U L(first){{.*}}]] U]
#ifdef NAME
#include "annotate.h"

void run(void);
void run(void) {
  SECTION(NAME);
  for (int i = 0; i < 3; ++i) {
    TASK;
    work(20000);
    LOCK(NAME);
    work(20000);
  }
}
#else
#include <dlfcn.h>
#include <signal.h>
#include <string.h>

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    if (!strcmp(argv[i], "kill"))
      raise(SIGTERM);
    void *library = dlopen(argv[i], RTLD_NOW);
    void (*run)(void) = library ? (void (*)(void))dlsym(library, "run") : 0;
    if (!run)
      return 1;
    run();
    dlclose(library);
  }
  return 0;
}
#endif
