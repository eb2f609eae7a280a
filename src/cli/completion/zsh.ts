/** A completion script for zsh, to be sourced or put into a folder of $fpath as `_sluice`. */
export function zshScript(program: string): string {
  const name = `_${program}`;
  return `#compdef ${program}
# zsh completion for ${program}: source <(${program} completion zsh)
${name}() {
  local answer files=""
  local -a names shown
  while IFS= read -r answer; do
    case "$answer" in
      :files) files=yes ;;
      :*) ;;
      *)
        names+=("\${answer%%$'\\t'*}")
        shown+=("\${answer/$'\\t'/  -- }")
        ;;
    esac
  done < <("\${words[1]}" __complete --word="\${words[CURRENT]}" -- "\${(@)words[2,CURRENT-1]}" 2>/dev/null </dev/null)
  (( \${#names} )) && compadd -V ${program} -l -d shown -a names
  if [[ -n $files ]]; then
    compset -P '--*='
    _files
  fi
}
if [[ $funcstack[1] == ${name} ]]; then ${name} "$@"; else compdef ${name} ${program}; fi`;
}
