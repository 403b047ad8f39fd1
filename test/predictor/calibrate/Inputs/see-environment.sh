#!/bin/sh
# Notes the runtimes' settings that it sees, then measures as the real program beside it does.
env | grep -E '^(OMP|KMP|LIBOMP|GOMP|TBB)_' >> "$SEEN"
exec "$0.real" "$@"
