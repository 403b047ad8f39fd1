# fails-third.sh INPUTS: a program that fails where two trees of earlier runs are there.
status=0
[ ! -e sh.run2.prophet.json ] || status=3
exec sh "$1/fake-app.sh" "$1/mandel.json" $status
