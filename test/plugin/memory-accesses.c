// REQUIRES: memory-profile
// RUN: rm -rf %t && mkdir -p %t && cd %t
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} -Wno-unknown-pragmas %s -o plain && ./plain > plain.txt && \
// DEFINE:   %clang-prophet -fplugin-arg-prophet-memory %{level} %s -o app && \
// DEFINE:   env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=app.json ./app > app.txt && diff plain.txt app.txt && \
// DEFINE:   %python %S/Inputs/show_memory.py app.json | FileCheck %s && \
// DEFINE:   env PROPHET_MEMORY_RATE=1/1048576 PROPHET_MEMORY_OUT=app.json ./app > app.txt && \
// DEFINE:   %python %S/Inputs/show_memory.py app.json | FileCheck %s --check-prefix=COUNTED
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}

// memcpy and memset are an access to each line, atomics read and write, and an access that spans two
// lines is to both. Tasks, critical sections and pauses are no sections of their own.
// CHECK:      copy executions=1 reads=64 writes=128
// CHECK-NEXT:   stream first=128 again=64
// CHECK:      atomics executions=1 reads=64 writes=64
// CHECK-NEXT:   {{stream|stride}} first=64 again=0
// CHECK:      straddle executions=1 reads=32
// CHECK-NEXT:   stride first=32 again=0
// CHECK:      paused executions=1 reads=0 writes=8
// CHECK-NEXT:   {{stream|stride}} first=8 again=0

// What they go through is a stream, but for where each of several begins, and where it soon ends.
// CHECK:      blocks executions=1 reads=32 writes=32
// CHECK-NEXT:   stream first=56 again=0
// CHECK-NEXT:   stride first=8 again=0
// CHECK:      records executions=1 reads=28 writes=28
// CHECK-NEXT:   stride first=56 again=0

// What is copied is as many accesses as lines of a size that the compiler knows, too: of a few
// bytes more than a line, two or three. With next to no line in the sample, this is what was counted.
// COUNTED: sizes executions=1 reads=40 writes=32

// Gathers and masked stores ask for each lane that the mask has, whatever the others' addresses are.
// RUN: %clang-prophet -fplugin-arg-prophet-memory -O3 -mavx512f -mprefer-vector-width=512 -fno-unroll-loops \
// RUN:   -S -emit-llvm %s -o - | FileCheck %s --check-prefix=LANES
// LANES-LABEL: define {{.*}}@gather(
// LANES:       [[ALL:%[0-9]+]] = select <8 x i1> {{.*}}, <8 x i1> {{.*}}, <8 x i1> zeroinitializer
// LANES:       @llvm.vector.reduce.or.v8i1(<8 x i1> [[ALL]])
// LANES:       call preserve_mostcc void @__prophet_memory_lanes(
// LANES:       @llvm.masked.gather
// What is packed or unpacked is as many lanes side by side as the mask has.
// LANES-LABEL: define {{.*}}@pack(
// LANES:       [[NUMBER:%[0-9]+]] = {{.*}}call i64 @llvm.ctpop.i64(
// LANES:       [[SPLAT:%.*]] = insertelement <8 x i64> poison, i64 [[NUMBER]], i64 0
// LANES:       icmp ult <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, {{.*}}
// LANES:       call preserve_mostcc void @__prophet_memory_lanes(
// LANES:       @llvm.masked.compressstore
// LANES-LABEL: define {{.*}}@unpack(
// LANES:       call preserve_mostcc void @__prophet_memory_lanes(
// LANES:       @llvm.masked.expandload
#include <stdio.h>
#include <string.h>

struct line {
  __attribute__((aligned(64))) char bytes[64];
};
struct line from[64], apart[33], blocks[2][64];
static struct line to[64], counters[64], written[16];

long gather(const long *restrict a, const int *restrict b, long n);
long gather(const long *restrict a, const int *restrict b, long n) {
  long sum = 0;
  for (long i = 0; i < n; i++)
    sum += a[b[i]];
  return sum;
}

#ifdef __AVX512F__
typedef double __attribute__((vector_size(64))) vector;
void pack(double *to, vector value, unsigned char mask);
void pack(double *to, vector value, unsigned char mask) {
  __builtin_ia32_compressstoredf512_mask((vector *)to, value, mask);
}
vector unpack(double *from, unsigned char mask);
vector unpack(double *from, unsigned char mask) {
  return __builtin_ia32_expandloaddf512_mask((vector *)from, (vector){0}, mask);
}
#endif

int main(int argc, char **argv) {
  (void)argv;
  size_t size = argc ? sizeof to : 0;
#pragma prophet parallel sections name(copy)
  {
#pragma prophet section
    memset(to, argc, size);
#pragma prophet section
    memcpy(to, from, size);
  }
#pragma prophet parallel for name(atomics)
  for (int i = 0; i < 64; i++)
    __atomic_fetch_add((int *)&counters[i], 1, __ATOMIC_SEQ_CST);
  long sum = 0;
#pragma prophet parallel for name(straddle)
  for (int i = 0; i < 16; i++) {
    long value;
    memcpy(&value, &apart[2 * i].bytes[60], 8);
#pragma prophet critical
    sum += value;
  }
#pragma prophet parallel for name(paused)
  for (int i = 0; i < 8; i++) {
#pragma prophet pause
    *(volatile char *)&written[8 + i] = 1;
#pragma prophet resume
    *(volatile char *)&written[i] = 1;
  }
#pragma prophet parallel for name(blocks)
#pragma clang loop unroll(disable)
  for (size_t i = 0; i < size / 1024; i++)
    memcpy(&blocks[1][16 * i], &blocks[0][16 * i], 8 * sizeof(struct line));
#pragma prophet parallel for name(records)
#pragma clang loop unroll(disable)
  for (size_t i = 0; i < size / 1024; i++)
    memcpy(&blocks[1][16 * i + 8], &blocks[0][16 * i + 8], 7 * sizeof(struct line));
#pragma prophet parallel for name(sizes)
#pragma clang loop unroll(disable)
  for (size_t i = 0; i < size / 256; i++)
    memcpy(&blocks[1][4 * i], &blocks[0][4 * i].bytes[i % 2 ? 32 : 40], 96);
  printf("%d %d %ld\n", blocks[1][5].bytes[0] + to[3].bytes[5], counters[7].bytes[0], sum);
  return 0;
}
