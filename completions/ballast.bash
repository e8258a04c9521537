# SPDX-License-Identifier: BSD-2-Clause
# bash completion for every tool: the programs themselves say what their options take (--help-completion).

# The values that a kind allows, into COMPREPLY.
_ballast_values() {
  local kind=$1 current=$2
  case $kind in
    file) mapfile -t COMPREPLY < <(compgen -f -- "$current"); compopt -o filenames ;;
    dir) mapfile -t COMPREPLY < <(compgen -d -- "$current"); compopt -o filenames ;;
    host) mapfile -t COMPREPLY < <(compgen -A hostname -- "$current") ;;
    choices=*) kind=${kind#choices=}; mapfile -t COMPREPLY < <(compgen -W "${kind//,/ }" -- "$current") ;;
  esac
}

_ballast() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command="" forms kind option options=""
  [ "$previous" = "=" ] && previous=${COMP_WORDS[COMP_CWORD-2]}
  [ "$current" = "=" ] && current=""
  COMPREPLY=()
  case ${COMP_WORDS[1]} in -*) ;; *) [ "$COMP_CWORD" -gt 1 ] && command=${COMP_WORDS[1]} ;; esac
  while read -r forms kind; do
    case $forms in
      -*)
        options+=" ${forms//,/ }"
        for option in ${forms//,/ }; do
          if [ "$option" = "$previous" ] && [ "$kind" != none ]; then _ballast_values "$kind" "$current"; return; fi
        done ;;
      choices=*) [ -z "$command" ] && [[ $current != -* ]] && { _ballast_values "$forms" "$current"; return; } ;;
    esac
  done < <("${COMP_WORDS[0]}" ${command:+"$command"} --help-completion 2> /dev/null)
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
  else
    _ballast_values file "$current"
  fi
}
complete -F _ballast hail hbal hcheck hfdb hinfo hplan hroller hscan hspace hsqueeze htidb
