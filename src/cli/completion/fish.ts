/** A completion script for fish 3.0 and later. */
export function fishScript(program: string): string {
  return `# fish completion for ${program}: ${program} completion fish | source
function __${program}_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    test (count $word) -gt 0; or set word ''
    set -l before (string match -r -- '^--[^=]+=' "$word")
    for answer in ($words[1] __complete --word="$word" -- $words[2..-1] 2>/dev/null </dev/null)
        if test "$answer" = ':files'
            for path in (__fish_complete_path (string replace -r -- '^--[^=]+=' '' "$word"))
                printf '%s%s\\n' "$before" "$path"
            end
        else if not string match -q -- ':*' "$answer"
            printf '%s\\n' "$answer"
        end
    end
end
complete -c ${program} -f -a '(__${program}_complete)'`;
}
