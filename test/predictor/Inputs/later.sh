# Runs a command a little later: what is in a pipe before it has come by then.
sleep 1
exec "$@"
