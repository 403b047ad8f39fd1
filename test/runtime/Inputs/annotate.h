/* The calls that the plugin inserts, written by hand. */
#include <prophet/profile.h>

#define SITE(kind, name, clauses) kind "|app.c|1|" name "|" clauses
#define SECTION(name)                                                                              \
  unsigned section_handle __attribute__((cleanup(__prophet_section_end), unused)) =                \
      __prophet_section_begin(SITE("parallel_for", name, ""))
#define TASK                                                                                       \
  unsigned task_handle __attribute__((cleanup(__prophet_task_end), unused)) = __prophet_task_begin()
#define LOCK(name)                                                                                 \
  unsigned lock_handle __attribute__((cleanup(__prophet_lock_end), unused)) =                      \
      __prophet_lock_begin(name)

static volatile double sink;
static void work(int n) {
  double x = 1;
  for (int i = 0; i < n; ++i)
    x = x * 0.5 + 1;
  sink = x;
}
