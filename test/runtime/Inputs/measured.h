/* What the plugin adds to programs that measure memory, by hand. */
#include <prophet/memory.h>

static __thread unsigned long long counted[PROPHET_MEMORY_COUNTS]
    __attribute__((tls_model("initial-exec")));
static unsigned long long *counts(void) { return counted; }
static unsigned threshold;
static unsigned short ahead[PROPHET_MEMORY_AHEAD];
static const struct prophet_memory_unit unit = {&threshold, ahead, counts};

/* One read of eight bytes. */
static const unsigned one_read[] = {1, 0, 8 << 8};
static const struct prophet_memory_api *api;

/* Another thread may look at the counters meanwhile, which is as good as atomic. */
static __attribute__((noinline, no_sanitize("thread"))) void count_read(void) { counted[0]++; }

static void read_line(const void *line) {
  count_read();
  api->touch((unsigned long long)line, one_read);
}

static void start_measuring(void) {
  api = prophet_memory_get_api(PROPHET_MEMORY_API_VERSION);
  api->add_unit(&unit);
}

static void read_in_section(const char *site, const char (*lines)[64], int count) {
  unsigned handle = api->calls.section_begin(site);
  for (int i = 0; i < count; ++i)
    read_line(lines[i]);
  api->calls.section_end(&handle);
}
