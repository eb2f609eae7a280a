import {
  spellingsOf,
  valuedFlags,
  type CommandOutline,
  type ValueCompletion,
  type FlagOutline,
  type ProgramOutline,
} from "./program-outline.ts";

/** A completion script for PowerShell 5 and later. */
export function powershellScript({ program, flags, commands }: ProgramOutline): string {
  return `# PowerShell completion for ${program}: ${program} completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName ${quoted(program)} -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $flags = @{
        '' = @(${spelled(flags)})
${commands.map((command) => `        ${quoted(command.name)} = @(${spelled(command.flags)})`).join("\n")}
    }
    $valued = @{
${commands.map((command) => `        ${quoted(command.name)} = @(${valuedFlags(command).map(quoted).join(", ")})`).join("\n")}
    }
    $values = @{
${commands.flatMap(valueLines).join("\n")}
    }
    $typed = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
    $command = ''
    $count = 0
    $skip = $false
    for ($i = 1; $i -lt $typed.Count; $i++) {
        if ($skip) { $skip = $false }
        elseif ($typed[$i] -like '-*') { $skip = $command -ne '' -and $valued[$command] -contains $typed[$i] }
        elseif ($command -eq '') { $command = $typed[$i] }
        else { $count++ }
    }
    $prev = if ($typed.Count -gt 1) { $typed[-1] } else { '' }
    $place = "$command $count"
    $isValue = $skip -or ($prev -like '-*' -and $values.ContainsKey("$command $prev"))
    $offered = if ($isValue) { $values["$command $prev"] }
        elseif ($wordToComplete -like '-*') { $flags[$command] }
        elseif ($command -eq '') { @(${commands.map(({ name }) => quoted(name)).join(", ")}) }
        elseif ($values.ContainsKey($place)) { $values[$place] }
        else { $values["$command *"] }
    if ($offered -contains '<releases>') {
        $rest = @($typed | Select-Object -Skip 1)
        $offered = @(& $typed[0] __complete releases -- @rest 2>$null)
    }
    $offered | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
        [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
    }
}`;
}

function spelled(flags: readonly FlagOutline[]): string {
  return flags.flatMap(spellingsOf).map(quoted).join(", ");
}

/** The words that may follow a flag, and those for each argument. PowerShell completes files by itself. */
function valueLines({ name, flags, arguments: all }: CommandOutline): readonly string[] {
  const line = (place: string, words: readonly string[]) => `        ${quoted(`${name} ${place}`)} = @(${words.map(quoted).join(", ")})`;
  const ofFlags = flags.flatMap((flag) => {
    const words = flag.value === undefined ? [] : wordsOf(flag.value.completes);
    return words.length === 0 ? [] : spellingsOf(flag).map((spelling) => line(spelling, words));
  });
  const ofArguments = all.flatMap(({ variadic, completes }, at) => {
    const words = wordsOf(completes);
    return words.length === 0 ? [] : [line(variadic ? "*" : String(at), words)];
  });
  return [...ofFlags, ...ofArguments];
}

function wordsOf(completes: ValueCompletion): readonly string[] {
  if (completes.by === "words") return completes.words;
  return completes.by === "releases" ? ["<releases>"] : [];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
