import { deploy as deployRelease, usePlan } from "../../release/deploy/index.ts";
import { load } from "../../release/load/index.ts";
import { releaseText } from "../../release/record/index.ts";
import type { ReuseFlags } from "../chart/flags.ts";
import type { ChartFlags } from "../chart/order.ts";
import { chartAmong } from "../chart/recognition.ts";
import { Usage } from "../failure.ts";
import { readPlan } from "../plan-file.ts";
import { courseOf, onRelease, termsOf, type DeployCommand } from "../release-command.ts";
import { surroundings } from "../surroundings.ts";
import type { Terminal } from "../terminal.ts";

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
    // Rendering is loaded for those who have something to render: it is a third of what is loaded then.
    const { deployChartAt } = await import("./deploy-chart.ts");
    return deployChartAt(chart, name, options, terminal, signal);
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
