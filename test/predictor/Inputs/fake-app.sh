# fake-app.sh TREE END: what an annotated program looks like from outside. Prints an answer and the
# number of its cores, puts TREE where PROPHET_OUT says, and ends: with status END, or by itself
# with that signal where END is a signal's name.
echo "answer 42"
nproc
cp "$1" "$PROPHET_OUT.new"
mv "$PROPHET_OUT.new" "$PROPHET_OUT"
case $2 in
[0-9]*) exit "$2" ;;
*) kill -s "$2" $$ ;;
esac
