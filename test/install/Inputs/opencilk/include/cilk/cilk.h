// Cilk's keywords, left out.
#pragma once
#define cilk_spawn
#define cilk_sync
#define cilk_for for
