import type { Clock } from "../../core/clock/index.ts";

/** From what nobody needs to what somebody should see at once. */
export const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

/** A log of lines, each a JSON object with its time, its level, what happened and what else is known about it. */
export class Log {
  readonly #clock: Clock;
  readonly #write: (line: string) => void;
  readonly #least: number;

  constructor(clock: Clock, write: (line: string) => void, level: LogLevel = "info") {
    this.#clock = clock;
    this.#write = write;
    this.#least = logLevels.indexOf(level);
  }

  write(level: LogLevel, message: string, about: Readonly<Record<string, unknown>> = {}): void {
    if (logLevels.indexOf(level) < this.#least) return;
    this.#write(JSON.stringify({ time: new Date(this.#clock.now()).toISOString(), level, message, ...about }));
  }
}

/** What is known of an error: its words, and where it was thrown if it is a mistake of ours. */
export function errorFields(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { error: String(error) };
  const isOurs = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  return { error: error.message, ...(isOurs ? { stack: error.stack } : {}) };
}
