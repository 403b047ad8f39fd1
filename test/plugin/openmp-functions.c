// OpenMP's functions in a program whose OpenMP pragmas are candidates: one thread, a real clock, and
// locks that are recorded.
// REQUIRES: omp.h
// RUN: rm -rf %t && mkdir -p %t && cd %t
// DEFINE: %{prophet} = %clang-prophet -idirafter %omp-include -fplugin-arg-prophet-openmp
// DEFINE: %{tree} = env PROPHET_OUT=app.json ./app && python3 %S/../runtime/Inputs/show_tree.py app.json --without-u | FileCheck %s
//
// RUN: %{prophet} -Wall -Wextra -Werror -O0 %s -o app && %{tree}
// RUN: %{prophet} -O2 -save-temps %s -o app && %{tree}
// RUN: %if lld %{ %{prophet} -O2 -flto -fuse-ld=lld -x c++ %s -o app && %{tree} %}
// RUN: %{prophet} -O1 -static %s -o app -L%libdir -lprophet && %{tree}
//
// A library without the functions has none to show; without OpenMP mode they are missing.
// RUN: %{prophet} -O1 -fPIC -shared %s -o app.so && %llvm-bin/llvm-nm -D --defined-only app.so | FileCheck %s --check-prefix=HIDDEN
// RUN: not %clang-prophet -idirafter %omp-include %s -o app 2>&1 | FileCheck %s --check-prefix=MISSING
//
// A program's own function comes first.
// RUN: %clang -O2 -DOWN -c %s -o own.o && %{prophet} -O2 -DUSES_OWN %s own.o -o app && ./app
//
// For other compilers, whose locks are smaller, the functions are in a library.
// RUN: %prophet-rewrite --from-openmp %s -o %t/app.prophet.c -- -idirafter %omp-include && %gcc -O2 -I%include app.prophet.c -o app -L%libdir -lprophet-omp -lprophet -Wl,-rpath,%libdir && %{tree}
// RUN: %gcc -O2 -DBY_HAND -I%include %s -o app -L%libdir -lprophet-omp -lprophet -Wl,-rpath,%libdir && %{tree}
// RUN: %gcc -O2 -static -DBY_HAND -I%include %s -o app -L%libdir -lprophet-omp -lprophet && %{tree}
//
// CHECK: complete: true
// CHECK-NEXT: events: 34
// CHECK-NEXT: recursive_locks: 1
// CHECK-NEXT: tree: root[{{[^ ]*}}[4*task[L(omp_lock 2) L(omp_nest_lock 3)]] L(omp_lock 1)[L(omp_lock 2)] L(omp_lock 2) L(omp_lock 1)]
// HIDDEN-NOT: omp_
// HIDDEN: main
// HIDDEN-NOT: omp_
// MISSING: undefined reference to `omp_
#ifdef OWN
int omp_get_thread_num(void);
int omp_get_thread_num(void) { return 7; }
#elif defined USES_OWN
#include <omp.h>
int main(void) { return omp_get_thread_num() + omp_get_num_threads() != 8; }
#else
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef BY_HAND
#include <prophet/annotate.h>
#else
#define PAR_SEC_BEGIN(name) ((void)0)
#define PAR_SEC_END(nowait) ((void)0)
#define PAR_TASK_BEGIN(name) ((void)0)
#define PAR_TASK_END() ((void)0)
#endif

static void require(int holds, int line) {
  if (!holds) {
    fprintf(stderr, "line %d: not so\n", line);
    exit(1);
  }
}
#define REQUIRE(x) require(x, __LINE__)

static void work(double seconds) {
  double end = omp_get_wtime() + seconds;
  while (omp_get_wtime() < end)
    ;
}

static void settings(void) {
  omp_sched_t kind;
  int chunk;
  omp_set_num_threads(8);
  omp_set_dynamic(1);
  omp_set_schedule(omp_sched_dynamic, 7);
  omp_get_schedule(&kind, &chunk);
  REQUIRE(kind == omp_sched_dynamic && chunk == 7);
  REQUIRE(omp_get_max_threads() == 1 && omp_get_num_threads() == 1 && omp_get_thread_num() == 0);
  REQUIRE(omp_get_dynamic() && !omp_in_parallel() && omp_get_level() == 0);
  REQUIRE(omp_get_team_size(0) == 1 && omp_get_ancestor_thread_num(1) == -1);
  REQUIRE(omp_get_num_procs() >= 1 && omp_get_wtick() > 0 && omp_get_wtick() < 0.1);
  REQUIRE(omp_get_num_places() == 0 && omp_get_proc_bind() == omp_proc_bind_false);
  REQUIRE(omp_get_num_devices() == 0 && omp_is_initial_device() && !omp_in_final());
}

static void memory(void) {
  static const size_t volume[] = {2, 2}, zero[] = {0, 0}, one[] = {1, 1}, size[] = {3, 3};
  char from[] = "abcdefghi", to[] = "123456789", *box;
  omp_alloctrait_t wide[1];
  omp_allocator_handle_t pages;
  wide[0].key = omp_atk_alignment;
  wide[0].value = 4096;
  pages = omp_init_allocator(omp_default_mem_space, 1, wide);
  box = (char *)omp_alloc(100, pages);
  REQUIRE((omp_uintptr_t)box % 4096 == 0);
  strcpy(box, "kept");
  omp_free(box, pages);
  omp_destroy_allocator(pages);
  omp_target_memcpy_rect(to, from, 1, 2, volume, one, zero, size, size, 0, omp_get_initial_device());
  REQUIRE(!strcmp(to, "1234ab7de"));
  box = (char *)omp_target_alloc(10, omp_get_initial_device());
  REQUIRE(omp_target_is_present(box, 0) && !omp_target_memcpy(box, from, 10, 0, 0, 0, 0));
  REQUIRE(!strcmp(box, from));
  omp_target_free(box, 0);
}

static void locks(void) {
  omp_lock_t a, b;
  omp_nest_lock_t nest;
  omp_init_lock(&a);
  omp_init_lock(&b);
  omp_init_nest_lock(&nest);
  work(2e-5);
  PAR_SEC_BEGIN(loop);
#pragma omp parallel for
  for (int i = 0; i < 4; i++) {
    PAR_TASK_BEGIN(iteration);
    work(2e-5);
    REQUIRE(omp_test_lock(&b) && !omp_test_lock(&b));
    work(2e-5);
    omp_unset_lock(&b);
    work(2e-5);
    omp_set_nest_lock(&nest);
    REQUIRE(omp_test_nest_lock(&nest) == 2);
    work(2e-5);
    omp_unset_nest_lock(&nest);
    work(2e-5);
    omp_unset_nest_lock(&nest);
    work(2e-5);
    PAR_TASK_END();
  }
  PAR_SEC_END(0);
  work(2e-5);
  omp_set_lock(&a);
  work(2e-5);
  omp_set_lock(&b);
  work(2e-5);
  omp_unset_lock(&a);
  work(2e-5);
  omp_unset_lock(&b);
  work(2e-5);
  omp_set_lock(&a);
  omp_set_lock(&a); /* for ever, elsewhere */
  work(2e-5);
  omp_unset_lock(&a);
  omp_unset_lock(&a);
  work(2e-5);
  omp_destroy_lock(&a);
  omp_destroy_lock(&b);
  omp_destroy_nest_lock(&nest);
}

int main(void) {
  settings();
  memory();
  locks();
  return 0;
}
#endif
