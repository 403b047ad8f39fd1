// REQUIRES: gcc
// RUN: %gcc -O2 -I%include -I%S/Inputs %S/linking.c -L%libdir -lprophet -Wl,-rpath,%libdir -o %t && env PROPHET_OUT=%t.json %t && python3 %S/Inputs/show_tree.py %t.json | FileCheck %s
// RUN: %gcc -O2 -static -I%include -I%S/Inputs %S/linking.c %libdir/libprophet.a -o %t && env PROPHET_OUT=%t.json %t && python3 %S/Inputs/show_tree.py %t.json | FileCheck %s
// RUN: %gxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only -x c++ %include/prophet/profile.h
// CHECK: tree: root[U loop[3*task[U]] U]
