import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { cpuMsOf } from "./process.ts";

/** A chart and its values files. */
export type RenderCase = { readonly chart: string; readonly values: readonly string[] };

/** Milliseconds for loading charts, for templates with their values, and for sorting manifests. */
export type Phases = { readonly load: number; readonly render: number; readonly sort: number };

/** The cost of rendering all charts once: wall clock without the transfer between processes, and CPU. */
export type RenderPass = { readonly wallMs: number; readonly cpuMs: number; readonly phases: Phases };

/** A value of each of the two programs. */
export type Sides<Item> = { readonly helm: Item; readonly sluice: Item };

/** The minimum of each program over all items. */
export function least<Item>(items: readonly Sides<Item>[], part: (item: Item) => number): Sides<number> {
  return {
    helm: Math.min(...items.map(({ helm }) => part(helm))),
    sluice: Math.min(...items.map(({ sluice }) => part(sluice))),
  };
}

type Answer = { readonly ms: number; readonly phases: Phases; readonly peakBytes: number; readonly manifest?: string };

/** A process that renders one chart after another: `charts-process.ts` or `helm-engine`. */
export class Renderer {
  readonly #child;
  readonly #answers: AsyncIterator<string>;

  constructor(program: string, args: readonly string[]) {
    this.#child = spawn(program, args, { stdio: ["pipe", "pipe", "ignore"] });
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async ask(request: RenderCase & { readonly quiet?: boolean }): Promise<Answer> {
    this.#child.stdin.write(`${JSON.stringify({ ...request, repeatable: true })}\n`);
    const { value, done } = await this.#answers.next();
    if (done === true) throw new Error(`the renderer ended at ${request.chart}`);
    return JSON.parse(value) as Answer;
  }

  /** Renders all of them. */
  async pass(cases: readonly RenderCase[]): Promise<RenderPass> {
    const before = cpuMsOf(this.#child.pid!);
    const answers: Answer[] = [];
    for (const each of cases) answers.push(await this.ask({ ...each, quiet: true }));
    const total = (part: (answer: Answer) => number) => answers.reduce((sum, answer) => sum + part(answer), 0);
    return {
      wallMs: total(({ ms }) => ms),
      cpuMs: cpuMsOf(this.#child.pid!) - before,
      phases: {
        load: total(({ phases }) => phases.load),
        render: total(({ phases }) => phases.render),
        sort: total(({ phases }) => phases.sort),
      },
    };
  }

  end(): void {
    this.#child.stdin.end();
  }

  /** Ends `charts-process.ts`. Returns how many bytes it held at its end. */
  async endHolding(): Promise<number> {
    this.end();
    const { value } = await this.#answers.next();
    return (JSON.parse(value) as { readonly heldBytes: number }).heldBytes;
  }
}
