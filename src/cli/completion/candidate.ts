/** A word that completes a command line, and what it is. */
export type Candidate = { readonly value: string; readonly description?: string };

/**
 * Words that mean nothing but themselves in bash, zsh, fish and PowerShell. Others are left out: names come from clusters and
 * files, a shell inserts them as they are, and the user's next key runs the line.
 */
const plainWord = /^[A-Za-z0-9_./-][A-Za-z0-9_.:@/+=-]*$/;
const longestWord = 256;
const longestDescription = 80;
/** More than anybody reads. */
const maxCandidates = 1000;

/** The candidates that complete a word, one a line, with a tab before the description. */
export function candidateLines(candidates: readonly Candidate[], word: string): readonly string[] {
  return candidates
    .filter(({ value }) => value.startsWith(word) && value.length <= longestWord && plainWord.test(value))
    .slice(0, maxCandidates)
    .map(({ value, description = "" }) => (description === "" ? value : `${value}\t${oneLine(description)}`));
}

/** Without characters that move a terminal's cursor or change the order of text. */
function oneLine(text: string): string {
  const line = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return line.length <= longestDescription ? line : `${line.slice(0, longestDescription - 1)}…`;
}
