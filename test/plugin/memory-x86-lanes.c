// REQUIRES: memory-profile, avx2
// Gathers, scatters, masked loads and stores of x86's own are seen: each lane that the mask has is an access, and the
// program computes what it does without that. Where a processor has no AVX-512, nothing is executed of it.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang-prophet -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=PLAIN
// PLAIN-DAG: @llvm.x86.avx2.gather.d.pd(
// PLAIN-DAG: @llvm.x86.avx2.gather.d.q.256(
// PLAIN-DAG: @llvm.x86.avx2.gather.q.ps(
// PLAIN-DAG: @llvm.x86.avx2.gather.q.d.256(
// PLAIN-DAG: @llvm.x86.avx.maskload.ps.256(
// PLAIN-DAG: @llvm.x86.avx2.maskstore.q(
// PLAIN-DAG: @llvm.x86.avx512.mask.gather.dpd.512(
// PLAIN-DAG: @llvm.x86.avx512.mask.gather3div4.sf(
// PLAIN-DAG: @llvm.x86.avx512.mask.scatter.dps.512(
// PLAIN-DAG: @llvm.x86.avx512.mask.scatterdiv2.di(
// RUN: %clang-prophet -fplugin-arg-prophet-memory -O2 -S -emit-llvm %s -o - | FileCheck %s --implicit-check-not='call {{.*}}@llvm.x86.avx'
// CHECK: define {{.*}} @main(
// RUN: %clang-prophet -O2 %s -o plain && %clang-prophet -fplugin-arg-prophet-memory -O2 %s -o seen
// RUN: env PROPHET_DISABLE=1 ./plain > plain.txt && env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=seen.json ./seen > seen.txt
// RUN: diff plain.txt seen.txt && FileCheck %s --check-prefix=SUMS --input-file=seen.txt
// SUMS: two {{[0-9]+}}
// RUN: %python -c "import json; s = json.load(open('seen.json'))['sites'][0]; print('reads', s['accesses']['reads'], s['classes']['indirect']['reuse'] != [], s['instructions'])" | FileCheck %s --check-prefix=READS
// Eight lanes, half of which the mask has, a hundred times; and the indexes, as a vector.
// An iteration loads, gathers, adds, counts and jumps, and stores what is handed to the runtime; what says whether lanes
// count is part of the gather.
// READS: reads 500 True 601
#include <immintrin.h>
#include <stdio.h>

enum { SIZE = 4096 };
static double doubles[SIZE];
static float floats[SIZE];
static int ints[SIZE];
static long long longs[SIZE];

#define AVX2 __attribute__((target("avx2"), noinline))
#define AVX512 __attribute__((target("avx512f,avx512vl"), noinline))

static AVX2 long long gathers(int at) {
  __m128i two = _mm_set_epi32(9, 8, at, at + 5), mask = _mm_set_epi32(-1, 0, -1, at);
  __m256i four = _mm256_set_epi64x(3, at, 7, 1);
  double pair[2];
  float small[4], eight[8];
  long long wide[4];
  int narrow[4];
  _mm_storeu_pd(pair, _mm_i32gather_pd(doubles, two, 8));
  _mm256_storeu_si256((__m256i *)wide, _mm256_mask_i32gather_epi64(four, longs, two, _mm256_set_epi64x(0, -1, at, -1), 4));
  _mm_storeu_ps(small, _mm_mask_i64gather_ps(_mm_set1_ps(2), floats, _mm_set_epi64x(at, 4), _mm_castsi128_ps(mask), 4));
  _mm_storeu_si128((__m128i *)narrow, _mm256_i64gather_epi32(ints, four, 2));
  _mm256_storeu_ps(eight, _mm256_maskload_ps(floats + at, _mm256_set_epi32(-1, 0, at, -1, 1, -5, 0, -1)));
  _mm_maskstore_epi64(longs + at, _mm_set_epi64x(-1, at), _mm_set_epi64x(at, 77));
  long long sum = (long long)(pair[0] * 3 + pair[1]);
  for (int i = 0; i < 4; ++i)
    sum = sum * 7 + wide[i] + (long long)small[i] * 5 + narrow[i] + (long long)(eight[i] + 11 * eight[i + 4]);
  return sum + longs[at] + 3 * longs[at + 1];
}

static AVX512 long long wideGathers(int at) {
  double eight[8];
  float four[4];
  _mm512_storeu_pd(eight, _mm512_mask_i32gather_pd(_mm512_set1_pd(6), (__mmask8)at, _mm256_set_epi32(1, 9, at, 4, 77, 8, 2, 5), doubles, 8));
  _mm_storeu_ps(four, _mm_mmask_i64gather_ps(_mm_set1_ps(3), 2, _mm_set_epi64x(at, 4), floats, 4));
  _mm512_mask_i32scatter_ps(floats, (__mmask16)(at * 5), _mm512_set_epi32(1, 9, at, 4, 77, 8, 2, 5, 1, 9, at, 40, 71, 18, 21, 15), _mm512_set_ps(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16), 4);
  _mm_mask_i64scatter_epi64(longs, 3, _mm_set_epi64x(at, at), _mm_set_epi64x(at + 1, 5), 8);
  long long sum = (long long)(four[0] + 2 * four[1] + 3 * four[2] + 5 * four[3]);
  for (int i = 0; i < 8; ++i)
    sum = sum * 3 + (long long)eight[i];
  return sum + (long long)floats[at] + longs[at];
}

static volatile int all_bits = -1;

static AVX2 void sums(double *to, const int (*indexes)[8]) {
  __m256 all = _mm256_setzero_ps();
  const __m256 half = _mm256_castsi256_ps(_mm256_set_epi32(all_bits, 0, all_bits, 0, all_bits, 0, all_bits, 0));
#pragma prophet parallel for
  for (int i = 0; i < 100; ++i)
    all = _mm256_add_ps(all, _mm256_mask_i32gather_ps(_mm256_setzero_ps(), floats, _mm256_loadu_si256((const __m256i *)indexes[i]), half, 4));
  *to = all[1];
}

int main(void) {
  static _Alignas(64) int indexes[100][8];
  for (int i = 0; i < SIZE; ++i) {
    doubles[i] = i * 3 % 101;
    floats[i] = (float)(i * 7 % 103);
    ints[i] = i * 11 % 107;
    longs[i] = i * 13 % 109;
  }
  for (int i = 0; i < 800; ++i)
    indexes[i / 8][i % 8] = i * 577 % SIZE;
  long long two = 0, five = 0;
  for (int at = 1; at < 500; at += 7) {
    two = two * 31 + (__builtin_cpu_supports("avx2") ? gathers(at) : 0);
    five = five * 31 + (__builtin_cpu_supports("avx512vl") ? wideGathers(at) : 0);
  }
  double sum = 0;
  if (__builtin_cpu_supports("avx2"))
    sums(&sum, indexes);
  printf("two %llu five %llu sum %g\n", (unsigned long long)two, (unsigned long long)five, sum);
  return 0;
}
