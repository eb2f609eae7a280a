import {
  spellingsOf,
  valuedFlags,
  type CommandOutline,
  type ValueCompletion,
  type FlagOutline,
  type ProgramOutline,
} from "./program-outline.ts";

/** A completion script for bash 3.2 and later. */
export function bashScript({ program, flags, commands }: ProgramOutline): string {
  const name = `_${program}`;
  return `# bash completion for ${program}: source <(${program} completion bash)
${name}_reply() {
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <("$@")
}
${name}_words() { ${name}_reply compgen -W "$1" -- "$cur"; }
${name}_files() {
  compopt -o filenames 2>/dev/null
  ${name}_reply compgen -f -- "$cur"
}
${name}_releases() { ${name}_words "$("\${COMP_WORDS[0]}" __complete releases -- "\${COMP_WORDS[@]:1}" 2>/dev/null)"; }
${name}() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="" valued="" flags="" word skip="" i count=0
  COMPREPLY=()
  # bash parts --flag=value into three words
  if [[ $cur == "=" ]]; then cur=""; elif [[ $prev == "=" ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [[ -n $skip ]]; then
      [[ $word == "=" ]] || skip=""
    elif [[ -z $command ]]; then
      [[ $word == -* ]] || command="$word"
      case "$command" in
${commands.map(valuedCase).join("\n")}
      esac
    elif [[ $word == -* ]]; then
      [[ " $valued " == *" $word "* ]] && skip=1
    elif [[ $word != "=" ]]; then
      count=$((count + 1))
    fi
  done
  case "$command $prev" in
${commands.flatMap((command) => valueCases(command, name)).join("\n")}
  esac
  if [[ $cur == -* ]]; then
    case "$command" in
      "") flags="${spelled(flags)}" ;;
${commands.map((command) => `      ${command.name}) flags="${spelled(command.flags)}" ;;`).join("\n")}
    esac
    ${name}_words "$flags"
    return
  fi
  case "$command $count" in
    " "*) ${name}_words "${commands.map((command) => command.name).join(" ")}" ;;
${commands.flatMap((command) => argumentCases(command, name)).join("\n")}
  esac
}
complete -F ${name} ${program}`;
}

function spelled(flags: readonly FlagOutline[]): string {
  return flags.flatMap(spellingsOf).join(" ");
}

function valuedCase(command: CommandOutline): string {
  return `        ${command.name}) valued="${valuedFlags(command).join(" ")}" ;;`;
}

/** Where the value of a flag is optional, its choices are offered beside what else may follow. */
function valueCases({ name, flags }: CommandOutline, prefix: string): readonly string[] {
  return flags.flatMap((flag) => {
    if (flag.value === undefined) return [];
    const pattern = spellingsOf(flag)
      .map((spelling) => `"${name} ${spelling}"`)
      .join(" | ");
    const end = flag.value.optional ? "" : "return ";
    return [`    ${pattern}) ${[actionOf(flag.value.completes, prefix), end].filter((part) => part !== "").join("; ") || ":"};;`];
  });
}

function argumentCases({ name, arguments: all }: CommandOutline, prefix: string): readonly string[] {
  return all.flatMap(({ variadic, completes }, at) => {
    const action = actionOf(completes, prefix);
    return action === "" ? [] : [`    "${name} "${variadic ? "*" : at}) ${action} ;;`];
  });
}

function actionOf(completes: ValueCompletion, prefix: string): string {
  if (completes.by === "words") return `${prefix}_words "${completes.words.join(" ")}"`;
  return completes.by === "nothing" ? "" : `${prefix}_${completes.by}`;
}
