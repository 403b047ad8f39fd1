//===- MemoryBlocksTest.cpp - What open tasks have allocated ----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MeasuredProfile.h"

#include "memory_blocks.h"

#include <map>
#include <random>

namespace {

struct Blocks {
  memory_blocks its;
  Blocks() { EXPECT_TRUE(blocks_init(&its)); }
  Blocks(const Blocks &) = delete;
  Blocks &operator=(const Blocks &) = delete;
  ~Blocks() { blocks_destroy(&its); }

  /// Where the block at an address was born; 0: there is none.
  std::uint64_t at(std::uint64_t address, std::uint64_t size = 1) const {
    const memory_block *found = blocks_find(&its, address, size);
    return found ? found->born : 0;
  }
};

TEST(MemoryBlocks, AreFoundByAddress) {
  Blocks blocks;
  EXPECT_EQ(blocks.at(100), 0U);
  blocks_add(&blocks.its, 100, 50, false);
  blocks_add(&blocks.its, 200, 10, false);
  blocks_add(&blocks.its, 150, 0, false);
  EXPECT_EQ(blocks.at(99), 0U);
  EXPECT_EQ(blocks.at(100), 1U);
  EXPECT_EQ(blocks.at(149), 1U);
  EXPECT_EQ(blocks.at(150), 0U);
  EXPECT_EQ(blocks.at(150, 51), 2U);
  EXPECT_EQ(blocks.at(64, 64), 1U);
  blocks_remove(&blocks.its, 101); // begins there no block
  EXPECT_EQ(blocks.its.live, 2U);
  blocks_remove(&blocks.its, 100);
  EXPECT_EQ(blocks.at(100), 0U);
  EXPECT_EQ(blocks.at(64, 64), 0U);
  EXPECT_EQ(blocks_newest(&blocks.its)->born, 2U);
  blocks_add(&blocks.its, 190, 15, false); // over the second one's beginning
  EXPECT_EQ(blocks.at(209), 0U);
  EXPECT_EQ(blocks.at(190), 3U);
  EXPECT_EQ(blocks.its.live, 1U);
  blocks_forget(&blocks.its, 0);
  EXPECT_EQ(blocks.at(190), 0U);
  EXPECT_EQ(blocks_newest(&blocks.its)->born, 0U);
  blocks_add(&blocks.its, UINT64_MAX - 10, 100, false); // no block is so
  blocks_add(&blocks.its, 100, UINT64_MAX, false);
  EXPECT_EQ(blocks.its.live, 0U);
}

TEST(MemoryBlocks, GetOtherSizes) {
  Blocks blocks;
  blocks_add(&blocks.its, 100, 50, true);
  blocks_add(&blocks.its, 160, 10, false);
  blocks_add(&blocks.its, 180, 10, false);
  blocks_add(&blocks.its, 195, 10, false);
  EXPECT_FALSE(blocks_resize(&blocks.its, 99, 10));
  EXPECT_FALSE(blocks_resize(&blocks.its, 101, 10));
  EXPECT_FALSE(blocks_resize(&blocks.its, 100, 0));
  EXPECT_TRUE(blocks_resize(&blocks.its, 100, 20));
  EXPECT_EQ(blocks.at(119), 1U);
  EXPECT_EQ(blocks.at(120), 0U);
  EXPECT_TRUE(blocks_resize(&blocks.its, 100, 90)); // over two others
  EXPECT_EQ(blocks.at(189), 1U);
  EXPECT_EQ(blocks.at(190), 0U);
  EXPECT_EQ(blocks.at(195), 4U);
  EXPECT_EQ(blocks.its.live, 2U);
  EXPECT_TRUE(blocks_find(&blocks.its, 100, 1)->single);
}

/// Beside a list of them that is looked through.
TEST(MemoryBlocks, AreThoseOfAList) {
  struct Block {
    std::uint64_t end, born;
  };
  Blocks blocks;
  std::map<std::uint64_t, Block> list;
  std::mt19937_64 random(1);
  std::uint64_t born = 0;
  for (int step = 0; step < 200000; ++step) {
    const std::uint64_t address = 64 + random() % 100000, size = 1 + random() % 200;
    if (random() % 8 == 0 && !list.empty()) {
      const auto gone =
          list.lower_bound(address) == list.end() ? list.begin() : list.lower_bound(address);
      blocks_remove(&blocks.its, gone->first);
      list.erase(gone);
    } else if (random() % 2) {
      blocks_add(&blocks.its, address, size, false);
      std::erase_if(list, [&](const auto &known) {
        return known.first < address + size && known.second.end > address;
      });
      list[address] = {address + size, ++born};
    }
    ASSERT_EQ(blocks.its.live, list.size());
    auto found = list.lower_bound(address + size);
    const bool any = found != list.begin() && (--found)->second.end > address;
    ASSERT_EQ(blocks.at(address, size), any ? found->second.born : 0);
  }
  std::map<std::uint64_t, std::uint64_t, std::greater<>> byBirth;
  for (const auto &[address, block] : list)
    byBirth[block.born] = address;
  const memory_block *block = blocks_newest(&blocks.its);
  for (const auto &[when, address] : byBirth) {
    EXPECT_EQ(block->born, when);
    EXPECT_EQ(block->address, address);
    block = &blocks.its.blocks[block->older];
  }
  EXPECT_EQ(block->born, 0U);
}

TEST(MemoryBlocks, AreSoManyAtMost) {
  Blocks blocks;
  for (std::uint64_t i = 1; i <= MEMORY_BLOCKS + 10; ++i)
    blocks_add(&blocks.its, 100 * i, 100, false);
  EXPECT_EQ(blocks.its.live, unsigned{MEMORY_BLOCKS});
  EXPECT_EQ(blocks.at(100 * MEMORY_BLOCKS), std::uint64_t{MEMORY_BLOCKS});
  EXPECT_EQ(blocks.at(100 * (MEMORY_BLOCKS + 1)), 0U);
  blocks_remove(&blocks.its, 500);
  blocks_add(&blocks.its, 7, 3, false);
  EXPECT_EQ(blocks.at(9), std::uint64_t{MEMORY_BLOCKS} + 11);
}

} // namespace
