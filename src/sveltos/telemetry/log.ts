import type { Clock } from "../../core/clock/index.ts";

/** From the least to the most severe. */
const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

/** A log of JSON lines with time, level, message and fields. */
export class Log {
  readonly #clock: Clock;
  readonly #write: (line: string) => void;
  readonly #minLevel: number;

  constructor(clock: Clock, write: (line: string) => void, level: LogLevel = "info") {
    this.#clock = clock;
    this.#write = write;
    this.#minLevel = logLevels.indexOf(level);
  }

  write(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    if (logLevels.indexOf(level) < this.#minLevel) return;
    this.#write(JSON.stringify({ time: new Date(this.#clock.now()).toISOString(), level, message, ...fields }));
  }
}

/** The message of an error, with its stack when it is a bug of ours. */
export function errorFields(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { error: String(error) };
  const isOurs = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  return { error: error.message, ...(isOurs ? { stack: error.stack } : {}) };
}
