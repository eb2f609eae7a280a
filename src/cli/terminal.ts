import pc from "picocolors";
import type { Paint } from "../view/index.ts";
import { RealClock } from "../core/clock/index.ts";
import { exitCodes } from "./failure.ts";
import { harmlessText } from "./harmless-text.ts";
import { logGroupsOf, type LogGroups } from "./log-groups.ts";
import { OutputBuffer } from "./output-buffer.ts";

/** Where a command writes, and whether it can redraw there. */
export type Terminal = {
  /** Prints a line of the result to standard output. */
  readonly out: (line: string) => void;
  /** Prints a line about the run to standard error. */
  readonly err: (line: string) => void;
  /** Resolves when what was printed has been read so far that there is room for more; undefined when there is. */
  readonly drained?: () => Promise<void> | undefined;
  /** Ends the interrupted process in a second, if nobody reads what was printed until then. */
  readonly endSoon?: () => void;
  /** Present when standard output is a terminal that can move its cursor. */
  readonly screen?: Screen;
  /** Present when the output is the log of a CI system that can fold lines. */
  readonly logGroups?: LogGroups;
  readonly paint: Paint;
};

/** A terminal that can be redrawn. */
export type Screen = {
  readonly write: (text: string) => void;
  readonly size: () => { readonly columns: number; readonly lines: number };
  /** Calls `redraw` whenever the size has changed, until the returned function is called. */
  readonly onResize: (redraw: () => void) => () => void;
};

export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  const colors = pc.createColors(wantsColor(env, stdout.isTTY === true));
  const stop = stopOnce(stderr);
  stdout.on("error", (error) => isBrokenPipe(error) || stop("standard output", error));
  stderr.on("error", (error) => isBrokenPipe(error) || stop("standard error", error));
  // A terminal with TERM=dumb cannot move its cursor.
  const isLive = stdout.isTTY && env.TERM !== "dumb";
  const logGroups = isLive ? undefined : logGroupsOf(env);
  const gathered = new OutputBuffer();
  process.once("exit", () => gathered.flush());
  // The live table is drawn between the lines, so on a terminal each is written at once.
  const write = (stream: NodeJS.WriteStream, line: string) => (isLive ? stream.write(line) : gathered.write(stream, line));
  return {
    // In a pipe or a file the result is data, and stays as it is.
    out: (line) => void write(stdout, `${stdout.isTTY ? harmlessText(line) : line}\n`),
    err: (line) => void write(stderr, `${harmlessText(line)}\n`),
    drained: drainedOf(stdout),
    endSoon: () => void new RealClock().after(unreadMs, () => process.exit(exitCodes.interrupted), { background: true }),
    ...(isLive ? { screen: screenOf(stdout) } : {}),
    ...(logGroups === undefined ? {} : { logGroups }),
    paint: { good: colors.green, bad: colors.red, dim: colors.dim, strong: colors.bold, warn: colors.yellow },
  };
}

/** How many bytes may wait for a slow reader. */
const maxUnreadBytes = 1_048_576;

/** How long an interrupted process waits for its output to be read. */
const unreadMs = 1000;

function drainedOf(stream: NodeJS.WriteStream): () => Promise<void> | undefined {
  let draining: PromiseWithResolvers<void> | undefined;
  const settle = () => {
    draining?.resolve();
    draining = undefined;
  };
  stream.on("drain", settle).on("close", settle);
  return () => {
    if (stream.writableLength > maxUnreadBytes && !stream.destroyed) draining ??= Promise.withResolvers();
    return draining?.promise;
  };
}

/** A terminal that does not know its size says 0, as `docker run --tty` does at first. */
function screenOf(stdout: NodeJS.WriteStream): Screen {
  return {
    write: (text) => void stdout.write(text),
    size: () => ({ columns: stdout.columns || 80, lines: stdout.rows || 24 }),
    onResize(redraw) {
      stdout.on("resize", redraw);
      return () => void stdout.off("resize", redraw);
    },
  };
}

/**
 * Tells whether output is coloured: on a terminal, unless `NO_COLOR` is set (https://no-color.org), and with `FORCE_COLOR`
 * anywhere. Where both are set, `NO_COLOR` wins.
 */
export function wantsColor({ NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTerminal && TERM !== "dumb";
}

/** The reader of a pipe may end early (`| head`). The run goes on. */
function isBrokenPipe(error: Error): boolean {
  return "code" in error && (error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED");
}

/** Reports the first failure to write and stops the run as SIGTERM does, so that Leases are released; the exit code is 1. */
function stopOnce(stderr: NodeJS.WriteStream): (what: string, error: Error) => void {
  let isStopping = false;
  return (what, { message }) => {
    if (isStopping) return;
    isStopping = true;
    process.once("exit", () => {
      process.exitCode = exitCodes.failed;
    });
    if (what !== "standard error") stderr.write(`error: write ${what}: ${message}: nothing more is printed, and the run is stopped\n`);
    process.emit("SIGTERM");
  };
}
