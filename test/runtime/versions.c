// A runtime, and its twin that does nothing, serves every version of the interface up to its own; the
// table for an older one is the new one's beginning.
// RUN: %clang -std=c99 -Wall -Wextra -pedantic -Werror -I%include %s -L%libdir -lprophet -Wl,-rpath,%libdir -o %t && %t
// RUN: %clang -I%include %s -L%libdir -lprophet-noop -Wl,-rpath,%libdir -o %t && %t
#include <prophet/profile.h>

int main(void) {
  const struct prophet_runtime_api *one = prophet_runtime_get_api(1);
  const struct prophet_runtime_api *two = prophet_runtime_get_api(2);
  if (!one || one->lock_end != __prophet_lock_end || one->section_begin != __prophet_section_begin)
    return 1;
  if (!two || two->size < sizeof *two || two->close_lock != __prophet_close_lock)
    return 2;
  return prophet_runtime_get_api(0) || prophet_runtime_get_api(PROPHET_RUNTIME_API_VERSION + 1);
}
