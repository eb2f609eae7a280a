import { createHash } from "node:crypto";
import type { ProfilePatch } from "../../api/index.ts";
import type { Reuse } from "../../../chart/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { renderElsewhere, renderRelease, type ChartReply } from "../../../release/chart/index.ts";
import type { AddonContext } from "../addon-request.ts";
import type { OwnedTasks } from "../owned-tasks.ts";
import { patchFactsOf } from "../patch/patch-facts.ts";
import { resolvePatchQueries, type PatchAnswers } from "../patch/patch-task.ts";
import { loadedChart, type FetchedChart } from "./chart-source.ts";
import { maxRenderMs, patchingBy, type ChartTask, type ChartTaskReply } from "./chart-task.ts";
import { mergedValues } from "./chart-values.ts";
import type { DesiredChart } from "./desired-charts.ts";

type RenderedRelease = Awaited<ReturnType<typeof renderRelease>>;

type RenderOptions = {
  readonly patches: readonly ProfilePatch[];
  readonly signal: AbortSignal;
  /** Renders elsewhere. Default: here. */
  readonly tasks: OwnedTasks | undefined;
};

/** Fetches the chart of a profile and renders it, in a worker where there is one. Changes nothing. */
export async function renderChart(desiredChart: DesiredChart, context: AddonContext, options: RenderOptions): Promise<RenderedRelease> {
  const { charts } = context;
  const { chart } = desiredChart;
  if (charts === undefined) throw new Fault(`load chart ${chart.chartName}`, "nobody here fetches charts", { final: true });
  const fetched = await charts(chart, { signal: options.signal, tasks: options.tasks, keyring: desiredChart.keyring });
  return options.tasks === undefined || "chart" in fetched
    ? renderHere(desiredChart, fetched, context, options)
    : renderByTask(desiredChart, fetched, context, { ...options, tasks: options.tasks });
}

function renderHere(
  desiredChart: DesiredChart,
  fetched: FetchedChart,
  { cluster, environment }: AddonContext,
  { patches, signal }: RenderOptions,
): Promise<RenderedRelease> {
  let startedAt = 0;
  const postRender = patchingBy(patches, patchFactsOf(cluster, { signal }));
  const order = {
    chart: loadedChart(fetched),
    values: mergedValues(desiredChart.values),
    ...wishesOf(desiredChart),
    environment,
    limits: { outOfTime: () => environment.now() - startedAt > maxRenderMs, output: 64 * 2 ** 20 },
    // What is fetched and looked up before takes others' time.
    runBusy: <T>(render: () => T): T => {
      startedAt = environment.now();
      return render();
    },
    warn: () => undefined,
    ...(fetched.loadSchema === undefined ? {} : { loadSchema: fetched.loadSchema }),
    ...(postRender === undefined ? {} : { postRender }),
  };
  return renderRelease(order, desiredChart.release, cluster, { signal });
}

function renderByTask(
  desiredChart: DesiredChart,
  { archive, title, warn, loadSchema }: Exclude<FetchedChart, { readonly chart: unknown }>,
  { cluster }: AddonContext,
  { patches, signal, tasks }: RenderOptions & { readonly tasks: OwnedTasks },
): Promise<RenderedRelease> {
  const { release, values, valuesHash } = desiredChart;
  const wishes = wishesOf(desiredChart);
  const at = `release ${release.namespace}/${release.name}`;
  const madeOf = [createHash("sha256").update(archive).digest("base64"), valuesHash, patches, wishes];
  const run = (known: Pick<ChartTask["attempt"], "facts" | "lookups" | "schemas">) => {
    const attempt = { ...known, ...wishes, chart: { archive, title } };
    const runWith = async (patchAnswers: PatchAnswers) => {
      const input: ChartTask = { attempt, values, patches, patchAnswers };
      const reply = (await tasks.run({ handler: "chart", input, at, madeOf })) as ChartTaskReply;
      if ("warnings" in reply) for (const warning of reply.warnings) warn(warning);
      return reply;
    };
    if (patches.length === 0) return runWith([]) as Promise<ChartReply>;
    return resolvePatchQueries(
      cluster,
      async (answers, answerTo): Promise<ChartReply> => {
        const reply = await runWith(answers);
        if ("warnings" in reply) return reply;
        for (const query of reply.open) answerTo(query);
        return nothingYet;
      },
      { signal },
    );
  };
  return renderElsewhere(release, cluster, { signal, loadSchema, run });
}

const nothingYet: ChartReply = { open: { lookups: [], schemas: [] }, warnings: [] };

/** What a profile says about the rendering of its chart. */
function wishesOf({ chart: { options } }: DesiredChart): { reuse: Reuse; subchartNotes: boolean; skipSchema: boolean } {
  const { reuseValues = false, resetThenReuseValues = false, subNotes = false } = options?.upgradeOptions ?? {};
  // Values of earlier revisions count only when the profile asks for them.
  const reuse = resetThenReuseValues ? "reset, then reuse" : reuseValues ? "reuse" : "reset";
  return { reuse, subchartNotes: subNotes, skipSchema: options?.skipSchemaValidation ?? false };
}
