# pkg-config.sh CLANG SOURCES: builds ./pc as a makefile would.
set -e
flags="-fplugin=$(pkg-config --variable=plugin prophet) $(pkg-config --cflags prophet)"
"$1" $flags -c "$2/app.c" -o app.o
"$1"++ $flags -c "$2/rows.cpp" -o rows.o
"$1" app.o rows.o $(pkg-config --libs prophet) -o pc
