import { randomBytes } from "node:crypto";
import { RealClock, type Clock } from "../../core/clock/index.ts";
import type { Limits } from "../../lang/template/index.ts";
import type { ChartOrder } from "../../release/chart/index.ts";
import type { Reuse } from "../../chart/index.ts";
import type { ChartChoice } from "../../repository/index.ts";
import type { Terminal } from "../terminal.ts";
import type { RenderFlags, ValueFlags } from "./flags.ts";
import { loadSource } from "./source.ts";
import { valuesOf } from "./values.ts";

/** How long the templates of a chart may take; the largest ones take seconds. */
const mostMs = 120_000;
/** The longest output of one template. */
const mostCharacters = 64 * 2 ** 20;

/** Time and chance as this machine has them. */
export function surroundingsOfTemplates(clock: Clock = new RealClock()) {
  return { now: () => clock.now(), randomBytes: (count: number) => randomBytes(count) };
}

/** What templates may use up from now on. */
export function limitsFromNow(clock = new RealClock()): Limits {
  const startedAt = clock.now();
  return { outOfTime: () => clock.now() - startedAt > mostMs, output: mostCharacters };
}

export type ChartFlags = ChartChoice & ValueFlags & RenderFlags;

/** What the flags say is to be made of a chart. */
export async function orderOf(
  source: string,
  flags: ChartFlags,
  reuse: Reuse,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ChartOrder> {
  const { postRenderer, postRendererArgs } = flags;
  const values = await valuesOf(flags, signal);
  const chart = await loadSource(source, flags, terminal, signal);
  // Some of Helm's warnings say themselves that they are.
  const warn = (line: string) => terminal.err(`${terminal.paint.warn("warning")}: ${line.replace(/^warning: /i, "")}`);
  if (chart.metadata.deprecated) warn("this chart is deprecated");
  return {
    chart,
    values,
    reuse,
    surroundings: surroundingsOfTemplates(),
    limits: limitsFromNow(),
    helm: flags.helm3 ? 3 : 4,
    subchartNotes: flags.renderSubchartNotes,
    skipSchema: flags.skipSchemaValidation,
    warn,
    ...(postRenderer === undefined
      ? {}
      : {
          postRender: async (manifests: string) =>
            (await import("./post-renderer.ts")).runPostRenderer(postRenderer, postRendererArgs, manifests, signal),
        }),
  };
}
