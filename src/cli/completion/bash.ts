/**
 * A completion script for bash 3.2 and later. bash parts words at `=`, `:` and `@`, too, and replaces the last part only, so the
 * parts are put together for the program and what comes before the last one is taken off its answers.
 */
export function bashScript(program: string): string {
  const name = `_${program}`;
  return `# bash completion for ${program}: source <(${program} completion bash)
${name}() {
  local line="\${COMP_LINE:0:COMP_POINT}" rest="" part="" word="" before="" answer="" path="" files="" i
  local -a words
  words=()
  COMPREPLY=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    rest="\${line#"\${line%%[![:space:]]*}"}"
    part="\${COMP_WORDS[i]}"
    [[ $i -eq $COMP_CWORD ]] && part="$rest"
    if [[ $i -gt 0 && $rest == "$line" ]]; then
      word="$word$part"
    else
      [[ $i -gt 0 ]] && words[\${#words[@]}]="$word"
      word="$part"
    fi
    line="\${rest#"$part"}"
  done
  case "$part" in
    *[!=:@]*) before="\${word%"$part"}" ;;
    *) before="$word" ;;
  esac
  while IFS= read -r answer; do
    case "$answer" in
      :files) files=yes ;;
      :*) ;;
      *)
        answer="\${answer%%$'\\t'*}"
        [[ $answer == "$word"* ]] && COMPREPLY[\${#COMPREPLY[@]}]="\${answer#"$before"}"
        ;;
    esac
  done < <("\${COMP_WORDS[0]}" __complete --word="$word" -- "\${words[@]:1}" 2>/dev/null </dev/null)
  if [[ -n $files ]]; then
    [[ $word == --*=* ]] && word="\${word#*=}"
    compopt -o filenames 2>/dev/null
    while IFS= read -r path; do COMPREPLY[\${#COMPREPLY[@]}]="$path"; done < <(compgen -f -- "$word")
  fi
}
complete -F ${name} ${program}`;
}
