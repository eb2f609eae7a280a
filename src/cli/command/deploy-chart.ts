import { requestFor, type ChartOrder } from "../../release/chart/index.ts";
import { deploy as deployRelease } from "../../release/deploy/index.ts";
import type { ReuseFlags } from "../chart/flags.ts";
import { orderOf, type ChartFlags } from "../chart/order.ts";
import { reuseOf } from "../chart/values.ts";
import { exitCodes } from "../failure.ts";
import { courseOf, onRelease, termsOf, type DeployCommand, type Work } from "../release-command.ts";
import type { Terminal } from "../terminal.ts";

/** Brings a release to what the chart of a source says. */
export async function deployChartAt(
  chart: string,
  name: string,
  options: DeployCommand & ChartFlags & ReuseFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const order = await orderOf(chart, options, reuseOf(options), terminal, signal);
  return deployChart(name, order, options, terminal, signal);
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
