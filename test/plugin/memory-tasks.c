// REQUIRES: memory-profile
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clang-prophet -fplugin-arg-prophet-memory -O1 %s -o app
// RUN: env PROPHET_MEMORY_OUT=app.json ./app && %python %S/Inputs/show_memory.py app.json | FileCheck %s

// Tasks belong to the section around them, or open one that ends with the wait.
// CHECK:      complete rate 1
// CHECK-NEXT: around executions=1 reads=0 writes=20
// CHECK:      memory-tasks.c:[[# @LINE + 10]] executions=3 reads=0 writes=3
// CHECK-NOT:  executions
static volatile int a[64];

static void spawn(int n) {
#pragma prophet task
  a[n] = n;
}

static void spawnAlone(int n) {
#pragma prophet task
  a[n] = n;
#pragma prophet taskwait
}

int main(void) {
#pragma prophet parallel tasks name(around)
  for (int i = 0; i < 10; i++) {
#pragma prophet task
    a[i] = i;
    spawn(i);
  }
  for (int i = 0; i < 3; i++)
    spawnAlone(i);
  return 0;
}
