/** A completion script for PowerShell 5 and later. Where nothing is offered PowerShell completes files by itself. */
export function powershellScript(program: string): string {
  return `# PowerShell completion for ${program}: ${program} completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName '${program}' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $typed = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
    $rest = @($typed | Select-Object -Skip 1)
    $word = "--word=$wordToComplete"
    & $typed[0] __complete $word '--' @rest 2>$null | Where-Object { $_ -notlike ':*' } | ForEach-Object {
        $value, $description = $_ -split [char]9, 2
        if (-not $description) { $description = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $description)
    }
}`;
}
