/* Found as "advisor-annotate.h", where this directory is on the include path. */
#include "../advisor-annotate.h"
