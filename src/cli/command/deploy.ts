import { requestFor, type ChartOrder } from "../../release/chart/index.ts";
import { deploy as deployRelease, usePlan } from "../../release/deploy/index.ts";
import { load } from "../../release/load/index.ts";
import { releaseText } from "../../release/record/index.ts";
import type { ReuseFlags } from "../chart/flags.ts";
import { orderOf, type ChartFlags } from "../chart/order.ts";
import { chartAmong } from "../chart/source.ts";
import { reuseOf } from "../chart/values.ts";
import { exitCodes, Usage } from "../failure.ts";
import { readPlan } from "../plan-file.ts";
import { onRelease, termsOf, type ReleaseCommand, type Work } from "../release-command.ts";
import { surroundings } from "../surroundings.ts";
import type { Terminal } from "../terminal.ts";

export type DeployCommand = ReleaseCommand & {
  readonly createNamespace: boolean;
  readonly autoRollback: boolean;
  readonly historyMax?: number;
};

/** Brings a release to what the sources say. */
export async function deploy(
  name: string,
  sources: readonly string[],
  options: DeployCommand & ChartFlags & ReuseFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { createNamespace } = options;
  const chart = chartAmong(sources, options);
  if (chart !== undefined) {
    const order = await orderOf(chart, options, reuseOf(options), terminal, signal);
    return deployChart(name, order, options, terminal, signal);
  }
  const manifests = await load(sources, surroundings, { signal });
  return onRelease(
    {
      name,
      command: "deploy",
      work: (cluster, release, how) =>
        deployRelease({ release, manifests, createNamespace, ...termsOf(options) }, cluster, { ...how, ...courseOf(options) }),
    },
    options,
    terminal,
    signal,
  );
}

/** Brings a release to what a chart says, and shows its notes once that is done. */
export async function deployChart(
  name: string,
  order: ChartOrder,
  options: DeployCommand,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { createNamespace } = options;
  let notes = "";
  const work: Work = async function* (cluster, release, how) {
    const request = await requestFor(order, release, cluster, { signal });
    notes = request.about.notes.trim();
    yield* deployRelease({ release, createNamespace, ...request, ...termsOf(options) }, cluster, { ...how, ...courseOf(options) });
  };
  const code = await onRelease({ name, command: "deploy", work }, options, terminal, signal);
  if (code === exitCodes.ok && options.output === "text" && notes !== "") terminal.out(`\nNOTES:\n${notes}`);
  return code;
}

/** Does exactly what a saved plan says, or refuses. A name and a namespace, where given, must be those of the plan. */
export async function deployPlan(
  file: string,
  name: string | undefined,
  options: DeployCommand,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const saved = await readPlan(file);
  const { release } = saved.proposal;
  const asked = { name: name ?? release.name, namespace: options.namespace ?? release.namespace };
  if (asked.name !== release.name || asked.namespace !== release.namespace)
    throw new Usage(`use the plan ${file}`, `it is for ${releaseText(release)}, not for ${releaseText(asked)}: leave the name out`);
  return onRelease(
    { name: release.name, command: "deploy", work: (cluster, _release, how) => usePlan(saved, cluster, { ...how, ...courseOf(options) }) },
    { ...options, namespace: release.namespace },
    terminal,
    signal,
  );
}

/** How a deploy goes about it, whatever it is to do. */
function courseOf({ autoRollback, historyMax }: DeployCommand) {
  return { autoRollback, ...(historyMax === undefined ? {} : { historyMax }) };
}
