//===- ranking.c - Integers sorted by counting ----------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: ranking [chunks] [repetitions]
//
// Sorts random integers as NAS's IS does: by buckets, then by counting inside each
// bucket. Three parallel loops: chunks of keys are counted, then moved to their
// buckets, in a thousand places at once, then buckets are sorted where they fit
// into a cache.
//
//===----------------------------------------------------------------------===//
#include "support.h"

enum {
  chunk = 1 << 16, ///< keys in a task of the first two loops
  bucketBits = 10, ///< of a key: its bucket
  keyBits = 20,    ///< of a key
  buckets = 1 << bucketBits,
  inBucket = 1 << (keyBits - bucketBits) ///< values of keys in a bucket
};

struct Sorting {
  int chunks;
  const uint32_t *keys;
  uint32_t *scattered, *sorted;
  uint32_t *places; ///< by chunk and bucket: first a count, then where the next key goes
  uint32_t starts[buckets + 1];
};

static void countChunks(struct Sorting *s) {
#pragma prophet parallel for name(count)
#pragma omp parallel for schedule(SCHEDULE)
  for (int k = 0; k < s->chunks; ++k) {
    uint32_t *counts = s->places + (size_t)k * buckets;
    for (int bucket = 0; bucket < buckets; ++bucket)
      counts[bucket] = 0;
    for (size_t i = (size_t)k * chunk; i < (size_t)(k + 1) * chunk; ++i)
      ++counts[s->keys[i] >> (keyBits - bucketBits)];
  }
}

/// Counts become places: bucket after bucket, in each one chunk after chunk.
static void placeBuckets(struct Sorting *s) {
  uint32_t place = 0;
  for (int bucket = 0; bucket < buckets; ++bucket) {
    s->starts[bucket] = place;
    for (int k = 0; k < s->chunks; ++k) {
      uint32_t count = s->places[(size_t)k * buckets + bucket];
      s->places[(size_t)k * buckets + bucket] = place;
      place += count;
    }
  }
  s->starts[buckets] = place;
}

static void scatterChunks(struct Sorting *s) {
#pragma prophet parallel for name(scatter)
#pragma omp parallel for schedule(SCHEDULE)
  for (int k = 0; k < s->chunks; ++k) {
    uint32_t *places = s->places + (size_t)k * buckets;
    for (size_t i = (size_t)k * chunk; i < (size_t)(k + 1) * chunk; ++i)
      s->scattered[places[s->keys[i] >> (keyBits - bucketBits)]++] = s->keys[i];
  }
}

static void sortBuckets(struct Sorting *s) {
#pragma prophet parallel for name(sort)
#pragma omp parallel for schedule(SCHEDULE)
  for (int bucket = 0; bucket < buckets; ++bucket) {
    uint32_t places[inBucket + 1] = {0};
    uint32_t begin = s->starts[bucket], end = s->starts[bucket + 1];
    for (uint32_t i = begin; i < end; ++i)
      ++places[s->scattered[i] % inBucket + 1];
    places[0] = begin;
    for (int value = 0; value < inBucket; ++value)
      places[value + 1] += places[value];
    for (uint32_t i = begin; i < end; ++i)
      s->sorted[places[s->scattered[i] % inBucket]++] = s->scattered[i];
  }
}

/// The keys ascend, and are the ones that there were, as far as their sum tells.
static const char *check(const struct Sorting *s) {
  size_t size = (size_t)s->chunks * chunk;
  uint64_t before = 0, after = 0;
  for (size_t i = 0; i < size; ++i) {
    before += s->keys[i];
    after += s->sorted[i];
    if (i > 0 && s->sorted[i - 1] > s->sorted[i])
      return "the keys do not ascend";
  }
  return before == after ? NULL : "keys were lost";
}

int main(int argc, char **argv) {
  double start = startClock();
  int chunks = argument(argc, argv, 1, 128, 1), repetitions = argument(argc, argv, 2, 6, 1);
  if (chunks > UINT32_MAX / chunk) {
    fprintf(stderr, "%s: no more than %d chunks: places are numbers of 32 bits\n", argv[0],
            UINT32_MAX / chunk);
    return 2;
  }
  size_t size = (size_t)chunks * chunk;
  uint32_t *keys = allocate(size, sizeof(uint32_t));
  struct Sorting sorting = {.chunks = chunks,
                            .keys = keys,
                            .scattered = allocate(size, sizeof(uint32_t)),
                            .sorted = allocate(size, sizeof(uint32_t)),
                            .places = allocate((size_t)chunks * buckets, sizeof(uint32_t))};
  uint64_t seed = 1;
  for (size_t i = 0; i < size; ++i)
    keys[i] = randomBits(&seed) >> (64 - keyBits);

  for (int repetition = 0; repetition < repetitions; ++repetition) {
    countChunks(&sorting);
    placeBuckets(&sorting);
    scatterChunks(&sorting);
    sortBuckets(&sorting);
  }

  int status = finish(start, check(&sorting));
  free(keys);
  free(sorting.scattered);
  free(sorting.sorted);
  free(sorting.places);
  return status;
}
