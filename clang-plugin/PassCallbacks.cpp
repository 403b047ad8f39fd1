//===- PassCallbacks.cpp - A say in the pass pipeline -----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "clang-plugin/PassCallbacks.h"

#include "clang/Basic/Version.h"

#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/FileSystem.h"

#include <dlfcn.h>

using namespace llvm;

namespace prophet {

std::string pluginFile() {
  Dl_info Info;
  SmallString<256> Path;
  if (!dladdr(reinterpret_cast<const void *>(&pluginFile), &Info) ||
      sys::fs::real_path(Info.dli_fname, Path))
    return "";
  return std::string(Path);
}

#if CLANG_VERSION_MAJOR >= 17

void addPassCallback(clang::CodeGenOptions &Options, std::function<void(PassBuilder &)> Callback) {
  Options.PassBuilderCallbacks.push_back(std::move(Callback));
}

#else

// Before LLVM 17 only a pass plugin, a file, gets at the pipeline: so this one is that, too.
static std::vector<std::function<void(PassBuilder &)>> Callbacks;

void addPassCallback(clang::CodeGenOptions &Options, std::function<void(PassBuilder &)> Callback) {
  if (Callbacks.empty())
    Options.PassPlugins.push_back(pluginFile());
  Callbacks.push_back(std::move(Callback));
}

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "prophet", CLANG_VERSION_STRING, [](PassBuilder &Builder) {
            for (const auto &Callback : Callbacks)
              Callback(Builder);
          }};
}

#endif

} // namespace prophet
