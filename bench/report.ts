/** Prints a figure and its upper limit. */
export function reportAtMost(what: string, value: number, most: number, unit = ""): void {
  const verdict = value <= most ? "ok" : "OVER";
  process.stdout.write(`${verdict.padEnd(5)}${what.padEnd(62)} ${format(value)}${unit} (at most ${format(most)}${unit})\n`);
}

/** Prints a figure and its lower limit. */
export function reportAtLeast(what: string, value: number, least: number, unit = ""): void {
  const verdict = value >= least ? "ok" : "UNDER";
  process.stdout.write(`${verdict.padEnd(5)}${what.padEnd(62)} ${format(value)}${unit} (at least ${format(least)}${unit})\n`);
}

/** Prints a figure that explains another one. */
export function reportNote(what: string, value: string): void {
  process.stdout.write(`     ${what.padEnd(62)} ${value}\n`);
}

function format(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}
