//===- stencil.c - Edge-preserving smoothing of an image ------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: stencil [size] [steps]
//
// Perona and Malik's anisotropic diffusion: heat flows between neighbouring
// pixels, but hardly across edges. A 2-D stencil over eight neighbours, two
// images that change roles after every step, one task for each row.
//
//===----------------------------------------------------------------------===//
#include "support.h"

#include <math.h>

static const double contrast = 0.15; ///< differences above it count as edges
static const double timeStep = 0.1;

/// What flows between two pixels that differ by `difference`. Odd, so that no heat gets lost.
static double flow(double difference) {
  double relative = difference / contrast;
  return difference * exp(-relative * relative);
}

static int clamp(int index, int size) { return index < 0 ? 0 : index < size ? index : size - 1; }

/// One time step, from `from` to `to`, each size x size pixels. At the border nothing flows.
static void diffuse(const double *from, double *to, int size) {
#pragma prophet parallel for name(rows)
#pragma omp parallel for schedule(SCHEDULE)
  for (int i = 0; i < size; ++i) {
    const double *above = from + (size_t)clamp(i - 1, size) * size;
    const double *row = from + (size_t)i * size;
    const double *below = from + (size_t)clamp(i + 1, size) * size;
    for (int j = 0; j < size; ++j) {
      int left = clamp(j - 1, size), right = clamp(j + 1, size);
      double pixel = row[j];
      double straight = flow(above[j] - pixel) + flow(below[j] - pixel) + flow(row[left] - pixel) +
                        flow(row[right] - pixel);
      double diagonal = flow(above[left] - pixel) + flow(above[right] - pixel) +
                        flow(below[left] - pixel) + flow(below[right] - pixel);
      to[(size_t)i * size + j] = pixel + timeStep * (straight + 0.5 * diagonal);
    }
  }
}

/// A disc on a dark ground, and noise.
static void draw(double *image, int size) {
  uint64_t seed = 1;
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      double radius = hypot(i - 0.5 * size, j - 0.5 * size) / size;
      image[(size_t)i * size + j] = (radius < 0.3 ? 0.8 : 0.2) + 0.1 * randomUnit(&seed);
    }
}

struct Moments {
  double mean, variance, least, greatest;
};

static struct Moments momentsOf(const double *image, int size) {
  struct Moments result = {0, 0, image[0], image[0]};
  size_t count = (size_t)size * size;
  for (size_t i = 0; i < count; ++i) {
    result.mean += image[i] / count;
    result.least = fmin(result.least, image[i]);
    result.greatest = fmax(result.greatest, image[i]);
  }
  for (size_t i = 0; i < count; ++i)
    result.variance += (image[i] - result.mean) * (image[i] - result.mean) / count;
  return result;
}

/// Diffusion keeps the mean, creates no new extremes and smooths; this kind leaves the disc.
static const char *check(struct Moments before, struct Moments after) {
  if (!(fabs(before.mean - after.mean) < 1e-9))
    return "the mean has changed";
  if (!(after.least >= before.least - 1e-12 && after.greatest <= before.greatest + 1e-12))
    return "there are new extremes";
  if (!(after.variance < before.variance))
    return "the image is not smoother";
  if (!(after.greatest - after.least > 0.5))
    return "the edge is gone";
  return NULL;
}

int main(int argc, char **argv) {
  double start = startClock();
  int size = argument(argc, argv, 1, 320, 8), steps = argument(argc, argv, 2, 60, 1);
  double *image = allocate((size_t)size * size, sizeof(double));
  double *other = allocate((size_t)size * size, sizeof(double));
  draw(image, size);
  struct Moments before = momentsOf(image, size);

  for (int step = 0; step < steps; ++step) {
    diffuse(image, other, size);
    double *swap = image;
    image = other;
    other = swap;
  }

  int status = finish(start, check(before, momentsOf(image, size)));
  free(image);
  free(other);
  return status;
}
