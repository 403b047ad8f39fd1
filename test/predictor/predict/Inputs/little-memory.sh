# little-memory.sh COMMAND: runs it with 3 GB of address space and stacks of 8 MB, which are 366.
ulimit -s 8192
ulimit -v 3000000
exec "$@"
