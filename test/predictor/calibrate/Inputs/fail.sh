#!/bin/sh
# Fails as libomp does where there are too many threads.
echo "OMP: Error #34: System unable to allocate necessary resources for OMP thread:" >&2
echo "OMP: System error #11: Resource temporarily unavailable" >&2
echo "OMP: Hint Try decreasing the value of OMP_NUM_THREADS." >&2
exit 3
