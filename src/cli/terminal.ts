import pc from "picocolors";

/** Where a command writes, and what it may do there. */
export type Terminal = {
  /** A line of result. */
  readonly out: (line: string) => void;
  /** A line about the run itself. */
  readonly err: (line: string) => void;
  /** Somebody watches standard output as it comes. */
  readonly live: boolean;
  readonly paint: Paint;
};

export type Paint = { readonly good: Brush; readonly bad: Brush; readonly dim: Brush; readonly strong: Brush; readonly warn: Brush };

type Brush = (text: string) => string;

export function processTerminal(): Terminal {
  const colors = pc.createColors(pc.isColorSupported && process.stdout.isTTY);
  return {
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
    live: process.stdout.isTTY,
    paint: { good: colors.green, bad: colors.red, dim: colors.dim, strong: colors.bold, warn: colors.yellow },
  };
}
