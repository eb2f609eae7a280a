import pc from "picocolors";
import type { Paint } from "../view/index.ts";
import { OutputBuffer } from "./output-buffer.ts";

/** Where a command writes, and whether it can redraw there. */
export type Terminal = {
  /** Prints a line of the result to standard output. */
  readonly out: (line: string) => void;
  /** Prints a line about the run to standard error. */
  readonly err: (line: string) => void;
  /** Present when standard output is a terminal that can move its cursor. */
  readonly screen?: Screen;
  readonly paint: Paint;
};

/** A terminal that can be redrawn. */
export type Screen = {
  readonly write: (text: string) => void;
  readonly size: () => { readonly columns: number; readonly lines: number };
};

export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  const colors = pc.createColors(pc.isColorSupported && stdout.isTTY === true);
  for (const stream of [stdout, stderr]) stream.on("error", ignoreBrokenPipe);
  // A terminal with TERM=dumb cannot move its cursor.
  const isLive = stdout.isTTY && env.TERM !== "dumb";
  const screen = { write: (text: string) => stdout.write(text), size: () => ({ columns: stdout.columns, lines: stdout.rows }) };
  const gathered = new OutputBuffer();
  process.once("exit", () => gathered.flush());
  // The live table is drawn between the lines, so on a terminal each is written at once.
  const write = (stream: NodeJS.WriteStream, line: string) => (isLive ? stream.write(line) : gathered.write(stream, line));
  return {
    out: (line) => void write(stdout, `${line}\n`),
    err: (line) => void write(stderr, `${line}\n`),
    ...(isLive ? { screen } : {}),
    paint: { good: colors.green, bad: colors.red, dim: colors.dim, strong: colors.bold, warn: colors.yellow },
  };
}

/** The reader of a pipe may end early (`| head`). The run goes on. */
function ignoreBrokenPipe(error: Error): void {
  if (!("code" in error) || (error.code !== "EPIPE" && error.code !== "ERR_STREAM_DESTROYED")) throw error;
}
