import pc from "picocolors";
import type { Paint } from "../view/index.ts";
import { OutputBuffer } from "./output-buffer.ts";

/** Where a command writes, and what it may do there. */
export type Terminal = {
  /** A line of result. */
  readonly out: (line: string) => void;
  /** A line about the run itself. */
  readonly err: (line: string) => void;
  /** There when somebody looks at standard output as it comes. */
  readonly screen?: Screen;
  readonly paint: Paint;
};

/** A part of the output that can be written over. */
export type Screen = {
  readonly write: (text: string) => void;
  readonly size: () => { readonly columns: number; readonly lines: number };
};

export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  const colors = pc.createColors(pc.isColorSupported && stdout.isTTY === true);
  for (const stream of [stdout, stderr]) stream.on("error", ignoreBrokenPipe);
  // A terminal that calls itself dumb cannot move its cursor.
  const isLive = stdout.isTTY && env.TERM !== "dumb";
  const screen = { write: (text: string) => stdout.write(text), size: () => ({ columns: stdout.columns, lines: stdout.rows }) };
  const gathered = new OutputBuffer();
  process.once("exit", () => gathered.flush());
  // A picture is drawn between the lines: there they go out one by one.
  const write = (stream: NodeJS.WriteStream, line: string) => (isLive ? stream.write(line) : gathered.write(stream, line));
  return {
    out: (line) => void write(stdout, `${line}\n`),
    err: (line) => void write(stderr, `${line}\n`),
    ...(isLive ? { screen } : {}),
    paint: { good: colors.green, bad: colors.red, dim: colors.dim, strong: colors.bold, warn: colors.yellow },
  };
}

/** Who reads may leave early (`| head`); what is being done goes on. */
function ignoreBrokenPipe(error: Error): void {
  if (!("code" in error) || (error.code !== "EPIPE" && error.code !== "ERR_STREAM_DESTROYED")) throw error;
}
