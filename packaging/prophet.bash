# bash completion for prophet(1)                               -*- shell-script -*-
#
# Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Verbs and options are read from the program's own help, so they are those of the version that is installed; only the
# values of options are listed here.

_prophet_verbs() { "$1" --help 2>/dev/null | sed -n '/^Subcommands:/,$ s/^  \([a-z+]*\) .*/\1/p'; }

_prophet_options() {
  "$1" "$2" --help 2>/dev/null | grep -oE '^ +-[^ ]*' | tr ',' '\n' | grep -oE -- '--?[a-z-]+'
}

# The words that an option of a verb takes; "FILES" for the names of files.
_prophet_values() {
  case $2 in
  --schedule) if [[ $1 == apply ]]; then echo best; elif [[ $1 != validate ]]; then echo written auto; fi; echo static static,1 dynamic dynamic,1 monotonic:dynamic,1 guided guided,1 ;;
  --runtime) echo libomp libgomp ;;
  --wait-policy) echo default active passive ;;
  --memory) echo auto none burden curve paper ;;
  --paradigm) echo openmp tasks tbb cilk ;;
  --method) echo ff synth ;;
  --delay) echo spin virtual ;;
  --color) echo auto always never ;;
  --format) if [[ $1 == tree ]]; then echo text json dot folded; elif [[ $1 == diff || $1 == validate ]]; then echo table json; else echo table json csv; fi ;;
  --machine) echo none westmere FILES ;;
  --overheads | --validation) echo none FILES ;;
  -o | --output | --tree | --memory-profile) echo FILES ;;
  --threads | --cores | --events | --fail-under | --what-if | --max-active-levels | --site | --jobs | --runs | --rounds | --fail-above | --memory-build | --seconds | --seed | --block-time | --time-limit | --scale) echo NOTHING ;;
  esac
}

_prophet() {
  local program=${COMP_WORDS[0]} verb=${COMP_WORDS[1]-} word=${COMP_WORDS[COMP_CWORD]}
  local before=${COMP_WORDS[COMP_CWORD - 1]} values i
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "$(_prophet_verbs "$program") --help --version" -- "$word")
    return
  fi
  # What follows -- is another program's; cc and c++ take a compiler's arguments.
  for ((i = 2; i < COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} == -- ]]; then
      mapfile -t COMPREPLY < <(compgen -f -- "$word")
      return
    fi
  done
  # In --format=json the equals sign is a word of its own.
  if [[ $word == "=" ]]; then
    word=""
  elif [[ $before == "=" ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  values=$(_prophet_values "$verb" "$before")
  if [[ $values == NOTHING ]]; then
    return
  elif [[ -n $values ]]; then
    mapfile -t COMPREPLY < <(compgen -W "${values/FILES/}" -- "$word")
    [[ $values == *FILES* ]] && mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$word")
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_prophet_options "$program" "$verb") --help" -- "$word")
  else
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}

complete -o bashdefault -F _prophet prophet
