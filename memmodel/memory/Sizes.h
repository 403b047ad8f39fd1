//===- Sizes.h - How much no cache holds ------------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>

namespace memory_figures {

/// Bytes of each of `threads` that no cache holds which they share: and as many pages as programs
/// use that wait for memory, since finding those of a gigabyte takes longer. A cache that does not
/// evict what is unused longest holds some of a buffer twice as large (a fifth, if it evicts at
/// random), and runs of lines with as many left out go through half of theirs at a time.
std::size_t farBytes(std::size_t cache, std::size_t threads);

/// The same of a cache that the threads fill all at once: more of it may work then than the `cache`
/// that does for one thread, whose lines others' take the place of meanwhile; up to what is `said`
/// of it. No more than a quarter of the memory for that, of `all` threads together.
std::size_t farOfAll(std::size_t cache, std::size_t said, std::size_t threads, std::size_t all);

} // namespace memory_figures
