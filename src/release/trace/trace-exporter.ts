import type { Clock } from "../../core/clock/index.ts";
import type { HttpClient } from "../../http/index.ts";
import { otlpRequest } from "./otlp-request.ts";
import type { OtlpSettings } from "./otlp-settings.ts";
import type { Span } from "./span.ts";

type ExporterOptions = {
  /** Gives up after the time-out of the settings. */
  readonly fetch: HttpClient;
  readonly clock: Clock;
  readonly version: string;
  /** Is called when spans cannot be sent. Nothing else comes of it. */
  readonly onWarning: (warning: string) => void;
};

/** How many spans wait to be sent at most; those of one request; and how long the first of them waits. */
const [maxWaiting, batchSize, delayMs] = [8192, 512, 5000];

/** Sends spans to a collector, some at a time. Whoever adds them waits for nothing. */
export class TraceExporter {
  readonly #settings: OtlpSettings;
  readonly #options: ExporterOptions;
  #waiting: Span[] = [];
  #dropped = 0;
  #timer: (() => void) | undefined;
  #sending: Promise<void> = Promise.resolve();

  constructor(settings: OtlpSettings, options: ExporterOptions) {
    this.#settings = settings;
    this.#options = options;
  }

  add(spans: readonly Span[]): void {
    const room = maxWaiting - this.#waiting.length;
    this.#dropped += Math.max(0, spans.length - room);
    this.#waiting.push(...spans.slice(0, Math.max(0, room)));
    this.#timer ??= this.#options.clock.after(delayMs, () => void this.flush(), { background: true });
  }

  /** Sends all that waits. Resolves when it is sent or given up. */
  flush(): Promise<void> {
    this.#timer?.();
    this.#timer = undefined;
    const spans = this.#waiting;
    this.#waiting = [];
    this.#sending = this.#sending.then(() => this.#sendAll(spans));
    return this.#sending;
  }

  async #sendAll(spans: readonly Span[]): Promise<void> {
    if (this.#dropped > 0) this.#options.onWarning(`${this.#dropped} spans were left out, as more than ${maxWaiting} waited to be sent`);
    this.#dropped = 0;
    for (let at = 0; at < spans.length; at += batchSize) {
      const problem = await this.#send(spans.slice(at, at + batchSize));
      if (problem === undefined) continue;
      this.#options.onWarning(`traces cannot be sent to ${this.#settings.url}: ${problem}`);
      return;
    }
  }

  /** Why the spans were not taken; undefined when they were. */
  async #send(spans: readonly Span[]): Promise<string | undefined> {
    const { url, headers, resource } = this.#settings;
    const { fetch, version } = this.#options;
    const body = JSON.stringify(otlpRequest(spans, resource, { name: "sluice", version }));
    try {
      const { status, statusText } = await fetch({
        url,
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body,
        maxBytes: 1_048_576,
      });
      return status >= 200 && status < 300 ? undefined : `it answered ${statusText}`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}
