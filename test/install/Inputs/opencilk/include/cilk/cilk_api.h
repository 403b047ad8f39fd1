// What OpenCilk's runtime says of itself, where there is one thread.
#pragma once
static inline unsigned __cilkrts_get_nworkers(void) { return 1; }
