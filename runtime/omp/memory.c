//===- memory.c - OpenMP's memory in a serial run -----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All memory spaces are malloc's, and the host is the only device.
//
//===----------------------------------------------------------------------===//
#include "omp_serial.h"

#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Allocators
//===----------------------------------------------------------------------===//

/** A trait as in omp.h. Of the traits only the alignment matters here. */
struct omp_serial_trait {
  unsigned key;
  uintptr_t value;
};
enum { TRAIT_ALIGNMENT = 2, LAST_PREDEFINED = 1023, LEAST_ALIGNMENT = sizeof(void *) };

/** What the handle of an allocator that the program made points to. */
struct allocator {
  size_t alignment;
};

uintptr_t omp_init_allocator(uintptr_t space, int count, const struct omp_serial_trait *traits) {
  struct allocator *made = malloc(sizeof *made);
  (void)space;
  if (!made)
    return 0;
  made->alignment = LEAST_ALIGNMENT;
  for (int i = 0; i < count; ++i)
    if (traits[i].key == TRAIT_ALIGNMENT && traits[i].value > made->alignment)
      made->alignment = traits[i].value;
  return (uintptr_t)made;
}

void omp_destroy_allocator(uintptr_t handle) {
  if (handle > LAST_PREDEFINED)
    free((struct allocator *)handle);
}

void omp_set_default_allocator(uintptr_t handle) { omp_serial_settings.default_allocator = handle; }
uintptr_t omp_get_default_allocator(void) { return omp_serial_settings.default_allocator; }

void *omp_aligned_alloc(size_t alignment, size_t size, uintptr_t handle) {
  void *result;
  if (handle == 0)
    handle = omp_serial_settings.default_allocator;
  if (handle > LAST_PREDEFINED && ((const struct allocator *)handle)->alignment > alignment)
    alignment = ((const struct allocator *)handle)->alignment;
  if (alignment < LEAST_ALIGNMENT)
    alignment = LEAST_ALIGNMENT;
  return size && posix_memalign(&result, alignment, size) == 0 ? result : NULL;
}

void *omp_aligned_calloc(size_t alignment, size_t count, size_t size, uintptr_t handle) {
  if (size && count > SIZE_MAX / size)
    return NULL;
  void *result = omp_aligned_alloc(alignment, count * size, handle);
  return result ? memset(result, 0, count * size) : NULL;
}

void *omp_alloc(size_t size, uintptr_t handle) { return omp_aligned_alloc(0, size, handle); }
void *omp_calloc(size_t count, size_t size, uintptr_t handle) {
  return omp_aligned_calloc(0, count, size, handle);
}
void omp_free(void *memory, uintptr_t handle) {
  (void)handle;
  free(memory);
}

void *omp_realloc(void *memory, size_t size, uintptr_t handle, uintptr_t old_handle) {
  void *result = omp_alloc(size, handle);
  (void)old_handle;
  if (memory && (result || size == 0)) {
    size_t old = malloc_usable_size(memory);
    if (result)
      memcpy(result, memory, old < size ? old : size);
    free(memory);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Devices' memory
//===----------------------------------------------------------------------===//

void *omp_target_alloc(size_t size, int device) {
  return omp_serial_is_host(device) && size ? malloc(size) : NULL;
}
void omp_target_free(void *memory, int device) {
  if (omp_serial_is_host(device))
    free(memory);
}
int omp_target_is_present(const void *memory, int device) {
  return memory && omp_serial_is_host(device);
}
int omp_target_is_accessible(const void *memory, size_t size, int device) {
  return memory && size && omp_serial_is_host(device);
}
void *omp_get_mapped_ptr(const void *memory, int device) {
  return omp_serial_is_host(device) ? (void *)(uintptr_t)memory : NULL;
}
/** The host's memory cannot be associated with itself. */
int omp_target_associate_ptr(const void *host, const void *other, size_t size, size_t offset,
                             int device) {
  (void)host;
  (void)other;
  (void)size;
  (void)offset;
  (void)device;
  return EINVAL;
}
int omp_target_disassociate_ptr(const void *memory, int device) {
  (void)memory;
  (void)device;
  return EINVAL;
}

int omp_target_memcpy(void *to, const void *from, size_t size, size_t to_offset, size_t from_offset,
                      int to_device, int from_device) {
  if (!omp_serial_is_host(to_device) || !omp_serial_is_host(from_device))
    return EINVAL;
  memcpy((char *)to + to_offset, (const char *)from + from_offset, size);
  return 0;
}

/** Copies a box; the dimensions are listed from the outermost one. */
static void copy_box(char *to, const char *from, size_t element, int dimensions,
                     const size_t *volume, const size_t *to_offsets, const size_t *from_offsets,
                     const size_t *to_size, const size_t *from_size) {
  size_t to_step = element, from_step = element;
  for (int i = 1; i < dimensions; ++i) {
    to_step *= to_size[i];
    from_step *= from_size[i];
  }
  to += to_offsets[0] * to_step;
  from += from_offsets[0] * from_step;
  if (dimensions == 1) {
    memcpy(to, from, volume[0] * element);
    return;
  }
  for (size_t i = 0; i < volume[0]; ++i)
    copy_box(to + i * to_step, from + i * from_step, element, dimensions - 1, volume + 1,
             to_offsets + 1, from_offsets + 1, to_size + 1, from_size + 1);
}

int omp_target_memcpy_rect(void *to, const void *from, size_t element, int dimensions,
                           const size_t *volume, const size_t *to_offsets,
                           const size_t *from_offsets, const size_t *to_size,
                           const size_t *from_size, int to_device, int from_device) {
  if (!to && !from) // asks how many dimensions there may be
    return INT_MAX;
  if (!omp_serial_is_host(to_device) || !omp_serial_is_host(from_device) || dimensions < 1)
    return EINVAL;
  copy_box(to, from, element, dimensions, volume, to_offsets, from_offsets, to_size, from_size);
  return 0;
}

/* Whatever they depend on has been done. */
int omp_target_memcpy_async(void *to, const void *from, size_t size, size_t to_offset,
                            size_t from_offset, int to_device, int from_device, int count,
                            void *depends) {
  (void)count;
  (void)depends;
  return omp_target_memcpy(to, from, size, to_offset, from_offset, to_device, from_device);
}

int omp_target_memcpy_rect_async(void *to, const void *from, size_t element, int dimensions,
                                 const size_t *volume, const size_t *to_offsets,
                                 const size_t *from_offsets, const size_t *to_size,
                                 const size_t *from_size, int to_device, int from_device, int count,
                                 void *depends) {
  (void)count;
  (void)depends;
  return omp_target_memcpy_rect(to, from, element, dimensions, volume, to_offsets, from_offsets,
                                to_size, from_size, to_device, from_device);
}

void *omp_target_memset(void *memory, int byte, size_t size, int device) {
  return omp_serial_is_host(device) ? memset(memory, byte, size) : NULL;
}
void *omp_target_memset_async(void *memory, int byte, size_t size, int device, int count,
                              void *depends) {
  (void)count;
  (void)depends;
  return omp_target_memset(memory, byte, size, device);
}
