//===- Dispatch.cpp - When the runtime is asked for a chunk ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/Dispatch.h"

#include "predictor/synthesizer/executor/Runtime.h"

#include <dlfcn.h>
#include <string>

namespace synthesizer {

thread_local DispatchListener *dispatchListener = nullptr;

namespace {

/// The runtime's function of a name that is this program's, too.
template <typename Function> class Original {
public:
  explicit Original(const char *name)
      : function(reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name))) {
    if (!function)
      giveUp((std::string("this OpenMP has no ") + name).c_str());
  }

  template <typename... Arguments> auto ask(Arguments... arguments) const {
    DispatchListener *const listener = dispatchListener;
    if (listener)
      listener->asks();
    const auto got = function(arguments...);
    if (listener && got)
      listener->takes();
    return got;
  }

private:
  Function *const function;
};

} // namespace
} // namespace synthesizer

using synthesizer::Original;

#ifdef __clang__

struct ident; // the compiler's note on where it is called

using Next = int(ident *, int, int *, int *, int *, int *);
static const Original<Next> next("__kmpc_dispatch_next_4");

extern "C" int __kmpc_dispatch_next_4(ident *place, int thread, int *last, int *lower, int *upper,
                                      int *stride) {
  return next.ask(place, thread, last, lower, upper, stride);
}

#else

using Start = bool(long, long, long, long, long *, long *);
using Next = bool(long *, long *);

#define PROPHET_ASKING(KIND)                                                                       \
  static const Original<Start> start_##KIND("GOMP_loop_" #KIND "_start");                          \
  static const Original<Next> next_##KIND("GOMP_loop_" #KIND "_next");                             \
  extern "C" bool GOMP_loop_##KIND##_start(long from, long to, long step, long chunk, long *begin, \
                                           long *end) {                                            \
    return start_##KIND.ask(from, to, step, chunk, begin, end);                                    \
  }                                                                                                \
  extern "C" bool GOMP_loop_##KIND##_next(long *begin, long *end) {                                \
    return next_##KIND.ask(begin, end);                                                            \
  }

PROPHET_ASKING(dynamic)
PROPHET_ASKING(guided)
PROPHET_ASKING(nonmonotonic_dynamic)
PROPHET_ASKING(nonmonotonic_guided)

#undef PROPHET_ASKING

#endif
