# expect-status.sh STATUS COMMAND...: runs the command and fails unless it exits with STATUS.
want=$1
shift
"$@"
got=$?
[ "$got" -eq "$want" ] || { echo "exit status $got instead of $want" >&2; exit 1; }
