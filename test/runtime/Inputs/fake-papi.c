// A libpapi whose counters the program moves. FAKE_PAPI says what is wrong with it.
#include <stdlib.h>
#include <string.h>

long long fake_counters[3];

static int is(const char *what) {
  const char *fake = getenv("FAKE_PAPI");
  return fake && strcmp(fake, what) == 0;
}

// As in PAPI 7.0's papi.h.
static struct {
  char name[128], short_name[64], description[128], version[64], support_version[64],
      kernel_version[64], disabled_reason[1024];
} perf_event = {.name = "perf_event", .disabled_reason = "Error finding PMU"};

int PAPI_get_opt(int option, void *result) { return option == 21 && !result ? 7 << 24 | 1 << 16 | 5 << 8 : -1; }
int PAPI_library_init(int version) { return is("uninitialized") ? -3 : version == (7 << 24 | 1 << 16) ? version : -1; }
int PAPI_num_cmp_hwctrs(int component) { return is("no counters") ? 0 : component == 0 ? 8 : 0; }
const void *PAPI_get_component_info(int component) { return component == 0 ? &perf_event : 0; }
int PAPI_event_name_to_code(const char *name, int *code) {
  static const char *const known[] = {"PAPI_TOT_INS", "PAPI_TOT_CYC", "perf::CACHE-MISSES"};
  for (int i = 0; i < (is("no misses") ? 2 : 3); ++i)
    if (strcmp(name, known[i]) == 0) {
      *code = i;
      return 0;
    }
  return -7;
}
int PAPI_create_eventset(int *set) { return *set == -1 ? *set = 4, 0 : -1; }
int PAPI_add_event(int set, int code) { return set == 4 && code < 3 ? 0 : -1; }
int PAPI_start(int set) { return is("busy") ? -10 : set == 4 ? 0 : -1; }
int PAPI_read(int set, long long *values) { return memcpy(values, fake_counters, sizeof fake_counters), set == 4 ? 0 : -1; }
char *PAPI_strerror(int error) {
  return error == -3 ? "Insufficient memory" : error == -7 ? "Event does not exist" : error == -10 ? "EventSet is currently counting" : "Invalid argument";
}
