//===- moldyn.c - Molecular dynamics with critical sections ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: moldyn [cells per side] [steps]
//
// Argon-like particles (Lennard-Jones, cut off and shifted, reduced units) in a
// periodic box, moved by velocity Verlet. One task computes the forces on one
// particle and adds that particle's energy and virial to the totals in a critical
// section.
//
//===----------------------------------------------------------------------===//
#include "support.h"

#include <math.h>

static const double cutoff = 2.5, density = 0.8442, timeStep = 0.004;

struct Vector {
  double x, y, z;
};

struct System {
  int count;
  double side; ///< of the periodic box
  struct Vector *positions, *velocities, *forces;
  double potential, virial; ///< totals of the last computeForces
};

/// The component of a distance to the nearest periodic image.
static double nearest(double distance, double side) {
  if (distance > side / 2)
    return distance - side;
  return distance < -side / 2 ? distance + side : distance;
}

/// The force on particle `i`; half of each of its pairs' energy and virial goes to the sums.
static struct Vector forceOn(const struct System *system, int i, double *energy, double *virial) {
  const double inverse6 = pow(cutoff, -6), shift = 4 * (inverse6 * inverse6 - inverse6);
  const struct Vector *positions = system->positions;
  struct Vector force = {0, 0, 0};
  for (int j = 0; j < system->count; ++j) {
    double x = nearest(positions[i].x - positions[j].x, system->side);
    double y = nearest(positions[i].y - positions[j].y, system->side);
    double z = nearest(positions[i].z - positions[j].z, system->side);
    double square = x * x + y * y + z * z;
    if (square >= cutoff * cutoff || j == i)
      continue;
    double power2 = 1 / square, power6 = power2 * power2 * power2;
    double strength = 48 * power6 * (power6 - 0.5);
    *energy += 0.5 * (4 * power6 * (power6 - 1) - shift);
    *virial += 0.5 * strength;
    force.x += strength * power2 * x;
    force.y += strength * power2 * y;
    force.z += strength * power2 * z;
  }
  return force;
}

static void computeForces(struct System *system) {
  system->potential = system->virial = 0;
#pragma prophet parallel for name(forces)
#pragma omp parallel for schedule(SCHEDULE)
  for (int i = 0; i < system->count; ++i) {
    double energy = 0, virial = 0;
    system->forces[i] = forceOn(system, i, &energy, &virial);
#pragma prophet critical(totals)
#pragma omp critical(totals)
    {
      system->potential += energy;
      system->virial += virial;
    }
  }
}

/// Half a step of the velocities; with `drift`, also a whole one of the positions.
static void advance(struct System *system, int drift) {
  for (int i = 0; i < system->count; ++i) {
    struct Vector *v = &system->velocities[i], *p = &system->positions[i];
    const struct Vector *f = &system->forces[i];
    v->x += timeStep / 2 * f->x;
    v->y += timeStep / 2 * f->y;
    v->z += timeStep / 2 * f->z;
    if (!drift)
      continue;
    p->x = fmod(p->x + timeStep * v->x + system->side, system->side);
    p->y = fmod(p->y + timeStep * v->y + system->side, system->side);
    p->z = fmod(p->z + timeStep * v->z + system->side, system->side);
  }
}

/// Particles on a cubic face-centred lattice with random velocities that add up to zero.
static void place(struct System *system, int cells) {
  static const double corner[4][3] = {{0, 0, 0}, {0, .5, .5}, {.5, 0, .5}, {.5, .5, 0}};
  uint64_t seed = 1;
  struct Vector mean = {0, 0, 0};
  double spacing = system->side / cells;
  for (int i = 0; i < system->count; ++i) {
    int cell = i / 4;
    const double *offset = corner[i % 4];
    system->positions[i] = (struct Vector){(cell % cells + offset[0]) * spacing,
                                           (cell / cells % cells + offset[1]) * spacing,
                                           (cell / cells / cells + offset[2]) * spacing};
    struct Vector *v = &system->velocities[i];
    *v = (struct Vector){4 * randomUnit(&seed) - 2, 4 * randomUnit(&seed) - 2,
                         4 * randomUnit(&seed) - 2};
    mean.x += v->x / system->count;
    mean.y += v->y / system->count;
    mean.z += v->z / system->count;
  }
  for (int i = 0; i < system->count; ++i) {
    system->velocities[i].x -= mean.x;
    system->velocities[i].y -= mean.y;
    system->velocities[i].z -= mean.z;
  }
}

static double totalEnergy(const struct System *system) {
  double energy = system->potential;
  for (int i = 0; i < system->count; ++i) {
    const struct Vector *v = &system->velocities[i];
    energy += 0.5 * (v->x * v->x + v->y * v->y + v->z * v->z);
  }
  return energy;
}

/// Energy and momentum are conserved.
static const char *check(const struct System *system, double energyAtStart) {
  struct Vector momentum = {0, 0, 0};
  for (int i = 0; i < system->count; ++i) {
    momentum.x += system->velocities[i].x;
    momentum.y += system->velocities[i].y;
    momentum.z += system->velocities[i].z;
  }
  if (!(fabs(momentum.x) + fabs(momentum.y) + fabs(momentum.z) < 1e-9 * system->count))
    return "the momentum is not conserved";
  if (!(fabs(totalEnergy(system) - energyAtStart) < 0.001 * system->count))
    return "the energy is not conserved";
  return NULL;
}

int main(int argc, char **argv) {
  double start = startClock();
  int cells = argument(argc, argv, 1, 10, 4), steps = argument(argc, argv, 2, 10, 1);
  struct System system = {.count = 4 * cells * cells * cells};
  system.side = cbrt(system.count / density);
  system.positions = allocate(system.count, sizeof(struct Vector));
  system.velocities = allocate(system.count, sizeof(struct Vector));
  system.forces = allocate(system.count, sizeof(struct Vector));
  place(&system, cells);
  computeForces(&system);
  double energyAtStart = totalEnergy(&system);

  for (int step = 0; step < steps; ++step) {
    advance(&system, 1);
    computeForces(&system);
    advance(&system, 0);
  }

  printf("energy per particle: %.6f\n", totalEnergy(&system) / system.count);
  int status = finish(start, check(&system, energyAtStart));
  free(system.positions);
  free(system.velocities);
  free(system.forces);
  return status;
}
