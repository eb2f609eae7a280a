import {
  spellingsOf,
  type ArgumentOutline,
  type CommandOutline,
  type ValueCompletion,
  type FlagOutline,
  type ProgramOutline,
} from "./program-outline.ts";

/** A completion script for zsh, to be sourced or put into a folder of $fpath as `_sluice`. */
export function zshScript({ program, flags, commands }: ProgramOutline): string {
  const name = `_${program}`;
  return `#compdef ${program}
# zsh completion for ${program}: source <(${program} completion zsh)
${name}_releases() {
  local -a names
  names=(\${(f)"$(\${typed[1]} __complete releases -- "\${typed[@]:1}" 2>/dev/null)"})
  compadd -a names
}
${name}() {
  local context state state_descr line
  local -a typed=("\${words[@]}")
  typeset -A opt_args
  _arguments -C ${flags.map((flag) => flagSpec(flag, name)).join(" ")} '1: :->command' '*:: :->argument'
  case $state in
    command)
      local -a commands
      commands=(
${commands.map((command) => `        ${quoted(`${command.name}:${command.description}`)}`).join("\n")}
      )
      _describe command commands
      ;;
    argument)
      case $line[1] in
${commands.map((command) => commandCase(command, name)).join("\n")}
      esac
      ;;
  esac
}
if [[ $funcstack[1] == ${name} ]]; then ${name} "$@"; else compdef ${name} ${program}; fi`;
}

function commandCase(command: CommandOutline, prefix: string): string {
  const specs = [
    ...command.flags.map((flag) => flagSpec(flag, prefix)),
    ...command.arguments.map((argument, at) => argumentSpec(argument, at, prefix)),
  ];
  return [
    `        ${command.name})`,
    "          _arguments \\",
    specs.map((spec) => `            ${spec}`).join(" \\\n"),
    "          ;;",
  ].join("\n");
}

/** `'(-o --output)'{-o,--output}'[how to tell of it]:format:(text json)'` */
function flagSpec(flag: FlagOutline, prefix: string): string {
  const { value, description, short, long } = flag;
  const tail = value === undefined ? "" : `${value.optional ? "::" : ":"}${value.name}:${actionOf(value.completes, prefix)}`;
  const spec = quoted(`[${escaped(description)}]${tail}`);
  return short === undefined ? `${long}${spec}` : `'(${spellingsOf(flag).join(" ")})'{${short},${long}}${spec}`;
}

function argumentSpec({ name, variadic, completes }: ArgumentOutline, at: number, prefix: string): string {
  return quoted(`${variadic ? "*" : at + 1}:${escaped(name)}:${actionOf(completes, prefix)}`);
}

function actionOf(completes: ValueCompletion, prefix: string): string {
  if (completes.by === "words") return `(${completes.words.join(" ")})`;
  if (completes.by === "files") return "_files";
  return completes.by === "releases" ? `${prefix}_releases` : " ";
}

/** Brackets and colons separate the parts of a specification. */
function escaped(text: string): string {
  return text.replaceAll(/[\][:\\]/g, String.raw`\$&`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
