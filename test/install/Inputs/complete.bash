# complete.bash SCRIPT PROGRAM WORD...: what the completion script offers for the last word, sorted, on one line.
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_prophet
printf '%s\n' "${COMPREPLY[@]}" | sort -u | paste -sd' '
