import { randomBytes } from "node:crypto";
import { RealClock, type Clock } from "../../core/clock/index.ts";
import type { ExecLimits } from "../../lang/template/index.ts";
import type { ChartRequest } from "../../release/chart/index.ts";
import type { Reuse, SchemaLoader } from "../../chart/index.ts";
import type { ChartPathOptions } from "../../repository/index.ts";
import { endedBySignals } from "../interrupt.ts";
import type { Terminal } from "../terminal.ts";
import type { OptionsOf } from "../typed-command.ts";
import type { RenderFlags, skipCrdsOption, ValueFlags } from "./chart-options.ts";
import { loadChartSource } from "./load-chart-source.ts";
import { readUserValues } from "./read-user-values.ts";

/** How long the templates of a chart may take; the largest ones take seconds. */
const renderTimeoutMs = 120_000;
/** The longest output of one template. */
const maxOutputCharacters = 64 * 2 ** 20;

/** The clock and the randomness of this machine, for templates. */
export function templateEnvironment(clock: Clock = new RealClock()) {
  return { now: () => clock.now(), randomBytes: (count: number) => randomBytes(count) };
}

/** Limits on time and output for one rendering that starts now. */
function templateLimits(clock = new RealClock()): ExecLimits {
  const startedAt = clock.now();
  return { outOfTime: () => clock.now() - startedAt > renderTimeoutMs, output: maxOutputCharacters, chargesTime: false };
}

export type ChartFlags = ChartPathOptions & ValueFlags & RenderFlags & Partial<OptionsOf<typeof skipCrdsOption>>;

/** Reads the values and the chart that the flags name into a request to render. */
export async function chartRequestOf(
  source: string,
  flags: ChartFlags,
  reuse: Reuse,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ChartRequest> {
  const { postRenderer, postRendererArgs } = flags;
  const values = await readUserValues(flags, signal);
  const chart = await loadChartSource(source, flags, terminal, signal);
  // Some of Helm's warnings begin with "warning:" themselves.
  const warn = (line: string) => terminal.err(`${terminal.paint.warn("warning")}: ${line.replace(/^warning: /i, "")}`);
  if (chart.metadata.deprecated) warn("this chart is deprecated");
  return {
    chart,
    values,
    reuse,
    environment: templateEnvironment(),
    limits: templateLimits(),
    helm: flags.helm3 ? 3 : 4,
    subchartNotes: flags.renderSubchartNotes,
    skipCrds: flags.skipCrds ?? false,
    skipSchema: flags.skipSchemaValidation,
    loadSchema: schemaLoader(terminal, signal),
    runBusy: endedBySignals,
    warn,
    ...(postRenderer === undefined
      ? {}
      : {
          postRender: async (manifests: string) =>
            (await import("./run-post-renderer.ts")).runPostRenderer(postRenderer, postRendererArgs, manifests, signal),
        }),
  };
}

/** Loads schemas from any host. The HTTP client is large, so it is loaded only for charts that need it. */
function schemaLoader(terminal: Terminal, signal: AbortSignal): SchemaLoader {
  let opened: Promise<SchemaLoader> | undefined;
  return async (url) => {
    opened ??= import("./repository-access.ts").then((access) => access.openLocalSchemaLoader(terminal, signal));
    return (await opened)(url);
  };
}
