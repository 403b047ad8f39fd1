//===- trees.c - Search trees that tasks allocate and free ---===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernel.h"

/// An allocator's 48 bytes: where it begins does not decide how many lie in two lines.
struct node {
  struct node *less, *more;
  uint64_t key, times;
  double unused;
};
static long unequal;

static void prepare(long n) { (void)n; }

static void add(struct node **tree, uint64_t key) {
  while (*tree && (*tree)->key != key)
    tree = key < (*tree)->key ? &(*tree)->less : &(*tree)->more;
  if (!*tree) {
    *tree = malloc(sizeof **tree);
    **tree = (struct node){NULL, NULL, key, 0, 0};
  }
  ++(*tree)->times;
}

static long free_all(struct node *tree) {
  if (!tree)
    return 0;
  long nodes = 1 + free_all(tree->less) + free_all(tree->more);
  free(tree);
  return nodes;
}

static void work(long n) {
  unequal = 0;
#pragma prophet parallel for name(kernel)
  for (long part = 0; part < 4; ++part) {
    uint64_t state = (uint64_t)part;
    struct node *tree = NULL;
    for (long i = 0; i < n; ++i)
      add(&tree, next_random(&state));
    unequal += free_all(tree);
  }
}

static double result(long n) { return (double)unequal / (double)n; }

int main(int argc, char **argv) { return kernel_main(argc, argv, prepare, work, result); }
