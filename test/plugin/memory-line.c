// REQUIRES: memory-profile
// What is known to lie in one line and is of one class has a call of its own, with the kind: a read's (4: of what is
// computed), and 8 more where a write follows.
// RUN: %clang-prophet -fplugin-arg-prophet-memory -O2 -S -emit-llvm %s -o - | FileCheck %s
struct pair {
  int first, second;
};

// CHECK-LABEL: define {{.*}}@count(
// CHECK:       @__prophet_memory_line(i64 {{[^,]*}}, i32 12)
void count(int *restrict counts, const unsigned *restrict keys, long n);
void count(int *restrict counts, const unsigned *restrict keys, long n) {
#pragma clang loop unroll(disable)
  for (long i = 0; i < n; i++)
    ++counts[keys[i]];
}

// CHECK-LABEL: define {{.*}}@scatter(
// CHECK:       @__prophet_memory_line(i64 {{[^,]*}}, i32 5)
void scatter(int *restrict to, const unsigned *restrict keys, long n);
void scatter(int *restrict to, const unsigned *restrict keys, long n) {
#pragma clang loop unroll(disable)
  for (long i = 0; i < n; i++)
    to[keys[i]] = 1;
}

// Two that lie together may be in two lines, unless what they are in cannot.
// CHECK-LABEL: define {{.*}}@anywhere(
// CHECK:       @__prophet_memory_touch(
// CHECK-NOT:   @__prophet_memory_line(
// CHECK-LABEL: define {{.*}}@aligned(
// CHECK-NOT:   @__prophet_memory_touch(
// CHECK:       @__prophet_memory_line(i64 {{[^,]*}}, i32 0)
int anywhere(const struct pair *at);
int anywhere(const struct pair *at) { return at->first * at->second; }
int aligned(const struct pair *at);
int aligned(const struct pair *at) {
  at = __builtin_assume_aligned(at, 8);
  return at->first * at->second;
}
