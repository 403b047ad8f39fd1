//===- histogram.c - Colour statistics behind contended locks -------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: histogram [size]
//
// Paints a picture, one task for each row, and counts its colours. The counts are
// shared: three named critical sections protect the one for hue, for saturation
// and for brightness. The last one smooths as it counts and holds its lock for
// most of a row's time, so the program cannot scale further than that lock.
//
//===----------------------------------------------------------------------===//
#include "support.h"

#include <math.h>
#include <string.h>

enum { bins = 64, reach = 42 }; ///< `reach`: how many bins to each side brightness spreads

/// A pixel as three bin numbers.
struct Pixel {
  uint8_t hue, saturation, brightness;
};

/// Integers, so that the sums do not depend on the order of the rows.
struct Counts {
  uint32_t of[bins];
};

struct Statistics {
  struct Counts hue, saturation, brightness;
};

static uint8_t binOf(double level) { return (uint8_t)(bins * (0.5 + 0.49 * sin(level))); }

/// Interfering waves, in the manner of a plasma effect.
static struct Pixel paint(double x, double y) {
  double wave = sin(x * 7) + sin(y * 9 + 2 * cos(x * 3)) + sin(hypot(x - 1, y - 2) * 11);
  struct Pixel pixel = {binOf(wave), binOf(2 * wave + x), binOf(exp(-y) * wave + y)};
  return pixel;
}

static void paintRow(struct Pixel *row, int i, int size) {
  for (int j = 0; j < size; ++j)
    row[j] = paint((double)j / size, (double)i / size);
}

static void countRow(struct Counts *counts, const uint8_t *level, int size) {
  for (int i = 0; i < size; ++i)
    ++counts->of[level[i * sizeof(struct Pixel)]];
}

/// Adds a triangle of height reach + 1 around every pixel's level; bins beyond an end count for the
/// end's. Every pixel adds (reach + 1)^2 in all.
static void smoothRow(struct Counts *counts, const uint8_t *level, int size) {
  for (int i = 0; i < size; ++i)
    for (int offset = -reach; offset <= reach; ++offset) {
      int bin = level[i * sizeof(struct Pixel)] + offset;
      counts->of[bin < 0 ? 0 : bin < bins ? bin : bins - 1] += reach + 1 - abs(offset);
    }
}

/// Paints rows of `size` pixels into `picture` and counts them.
static void analyse(struct Pixel *picture, int size, struct Statistics *statistics) {
#pragma prophet parallel for name(rows)
#pragma omp parallel for schedule(SCHEDULE)
  for (int i = 0; i < size; ++i) {
    struct Pixel *row = picture + (size_t)i * size;
    paintRow(row, i, size);
#pragma prophet critical(hue)
#pragma omp critical(hue)
    countRow(&statistics->hue, &row->hue, size);
#pragma prophet critical(saturation)
#pragma omp critical(saturation)
    countRow(&statistics->saturation, &row->saturation, size);
#pragma prophet critical(brightness)
#pragma omp critical(brightness)
    smoothRow(&statistics->brightness, &row->brightness, size);
  }
}

static uint64_t sumOf(const struct Counts *counts) {
  uint64_t sum = 0;
  for (int bin = 0; bin < bins; ++bin)
    sum += counts->of[bin];
  return sum;
}

/// No update is lost: the plain counts equal a recount of the picture, the smooth one its sum.
static const char *check(const struct Pixel *picture, int size, const struct Statistics *found) {
  struct Counts hue = {{0}}, saturation = {{0}};
  uint64_t pixels = (uint64_t)size * size;
  for (uint64_t i = 0; i < pixels; ++i) {
    ++hue.of[picture[i].hue];
    ++saturation.of[picture[i].saturation];
  }
  if (memcmp(&hue, &found->hue, sizeof hue))
    return "the count of hues misses pixels";
  if (memcmp(&saturation, &found->saturation, sizeof saturation))
    return "the count of saturations misses pixels";
  if (sumOf(&found->brightness) != pixels * (reach + 1) * (reach + 1))
    return "the count of brightness misses pixels";
  return NULL;
}

int main(int argc, char **argv) {
  double start = startClock();
  int size = argument(argc, argv, 1, 1200, 1);
  struct Pixel *picture = allocate((size_t)size * size, sizeof(struct Pixel));
  struct Statistics statistics = {{{0}}, {{0}}, {{0}}};

  analyse(picture, size, &statistics);

  int status = finish(start, check(picture, size, &statistics));
  free(picture);
  return status;
}
