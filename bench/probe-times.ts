import { get } from "node:http";

const everyMs = 500;
const patienceMs = 5000;

/** Asks a probe again and again, and keeps how long each answer takes. */
export class ProbeTimes {
  readonly #times: number[] = [];
  readonly #timer: NodeJS.Timeout;
  failures = 0;

  constructor(url: string) {
    this.#timer = setInterval(() => this.#ask(url), everyMs);
  }

  #ask(url: string): void {
    const startedAt = performance.now();
    let isDone = false;
    const done = (isAnswered: boolean) => {
      if (isDone) return;
      isDone = true;
      this.#times.push(performance.now() - startedAt);
      if (!isAnswered) this.failures++;
    };
    const request = get(url, { agent: false, timeout: patienceMs }, (response) => {
      response.resume();
      response.once("end", () => done(response.statusCode === 200));
    });
    request.once("timeout", () => request.destroy());
    request.once("error", () => done(false));
  }

  /** What was measured since the last call. */
  take(): readonly number[] {
    return this.#times.splice(0);
  }

  end(): void {
    clearInterval(this.#timer);
  }
}
