import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { cpuMsOf } from "./process.ts";

/** A chart with the values files that it is rendered with. */
export type Case = { readonly chart: string; readonly values: readonly string[] };

type Answer = { readonly ms: number; readonly peakBytes: number; readonly manifest?: string };

/** A process that renders one chart after the other: `charts-process.ts` or `helm-engine`. */
export class Renderer {
  readonly #child;
  readonly #answers: AsyncIterator<string>;

  constructor(program: string, args: readonly string[]) {
    this.#child = spawn(program, args, { stdio: ["pipe", "pipe", "ignore"] });
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async ask(request: Case & { readonly quiet?: boolean }): Promise<Answer> {
    this.#child.stdin.write(`${JSON.stringify({ ...request, repeatable: true })}\n`);
    const { value, done } = await this.#answers.next();
    if (done === true) throw new Error(`the renderer ended at ${request.chart}`);
    return JSON.parse(value) as Answer;
  }

  /** What rendering all of them takes: on the clock, without what passes between the processes, and in CPU. */
  async pass(cases: readonly Case[]): Promise<{ readonly wallMs: number; readonly cpuMs: number }> {
    const before = cpuMsOf(this.#child.pid!);
    let wallMs = 0;
    for (const each of cases) wallMs += (await this.ask({ ...each, quiet: true })).ms;
    return { wallMs, cpuMs: cpuMsOf(this.#child.pid!) - before };
  }

  end(): void {
    this.#child.stdin.end();
  }
}
