import { valuesForUpgrade, type Chart, type Reuse, type SchemaLoader, type Warn } from "../../chart/index.ts";
import { Fault, lineFor } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import type { Environment } from "../../lang/sprig/index.ts";
import { Engine, type GoMap, type ExecLimits } from "../../lang/template/index.ts";
import type { Release } from "../record/index.ts";
import {
  sortRendering,
  helmFunctions,
  objectionToInstall,
  applyPostRender,
  recordedValues,
  renderFiles,
  resolveLookups,
  resolveSchemas,
  type Lookup,
  type PostRender,
} from "../render/index.ts";
import { lookUp } from "./lookup.ts";
import { readRenderFacts, type RenderFacts } from "./render-facts.ts";
import { renderedReleaseOf, type RenderedRelease } from "./rendered-release.ts";

/** A chart to deploy. */
export type ChartRequest = {
  readonly chart: Chart;
  /** The values of this deploy. */
  readonly values: GoMap;
  /** How the values of the previous revision are reused. */
  readonly reuse: Reuse;
  readonly environment: Environment;
  readonly limits: ExecLimits;
  readonly helm?: 3 | 4;
  readonly subchartNotes?: boolean;
  readonly skipSchema?: boolean;
  /** Loads the schemas that others refer to over HTTP. Default: such references are refused. */
  readonly loadSchema?: SchemaLoader;
  /** Leaves the CRDs in `crds/` out of the deploy. Default false. */
  readonly skipCrds?: boolean;
  readonly postRender?: PostRender;
  /** Runs the templates, which may keep the thread busy for long. Default: calls it. */
  readonly runBusy?: <T>(work: () => T) => T;
  readonly warn: Warn;
};

/** Renders a chart for a release of a cluster. Changes nothing. */
export async function renderRelease(
  order: ChartRequest,
  release: Release,
  cluster: Cluster,
  { signal }: { readonly signal: AbortSignal },
): Promise<RenderedRelease> {
  throwObjection(order.chart);
  const facts = await readRenderFacts(release, cluster, { signal });
  const { chart, values } = valuesFor(order, facts);
  const { environment, postRender, helm = 4, runBusy = (work) => work() } = order;
  let lookup: Lookup | undefined;
  const engine = new Engine(helmFunctions(environment, { lookup: (...question) => lookup?.(...question) }));
  const rendered = await resolveSchemas(order.loadSchema, (schemas) =>
    resolveLookups(
      (question) => lookUp(question, cluster, { signal }),
      (answers) => {
        lookup = answers;
        return runBusy(() => renderFiles(chart, values, { ...order, ...schemas, ...facts, engine }));
      },
    ),
  );
  const files = postRender === undefined ? rendered.files : await applyPostRender(rendered.files, postRender);
  const rendering = sortRendering({ ...rendered, files }, helm);
  for (const problem of rendering.leftOut) order.warn(lineFor(problem));
  const whole = renderedReleaseOf(rendering, values);
  return order.skipCrds === true ? { ...whole, crds: [] } : whole;
}

/** Throws when a chart cannot be installed by itself. */
export function throwObjection(chart: Chart): void {
  const objection = objectionToInstall(chart);
  if (objection !== undefined) throw new Fault(objection, undefined, { final: true });
}

/** The chart and values, merged with those of the previous revision. Models helm pkg/action/upgrade.go prepareUpgrade */
export function valuesFor(
  { chart, values, reuse, warn }: Pick<ChartRequest, "chart" | "values" | "reuse" | "warn">,
  { previous }: RenderFacts,
): { chart: Chart; values: GoMap } {
  return previous === undefined ? { chart, values } : valuesForUpgrade(chart, values, recordedValues(previous), reuse, warn);
}
