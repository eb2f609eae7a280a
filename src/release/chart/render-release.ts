import { valuesForUpgrade, type Chart, type Reuse, type SchemaLoader, type Warn } from "../../chart/index.ts";
import { Fault } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { integerOf, type Fields } from "../../core/object/index.ts";
import type { Environment } from "../../lang/sprig/index.ts";
import { Engine, toPlain, type GoMap, type ExecLimits } from "../../lang/template/index.ts";
import type { InvalidManifests, LocatedManifest } from "../../lang/yaml/index.ts";
import { deployedOf, historyOf, latestOf, type Hook, type Release, type Revision } from "../record/index.ts";
import {
  sortRendering,
  helmFunctions,
  manifestText,
  objectionToInstall,
  applyPostRender,
  readRenderedManifests,
  recordedChart,
  recordedValues,
  renderFiles,
  resolveLookups,
  resolveSchemas,
  type Lookup,
  type PostRender,
  type RenderedHook,
  type Rendering,
} from "../render/index.ts";
import { readCapabilities } from "./read-capabilities.ts";
import { lookUp } from "./lookup.ts";

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
  readonly warn: Warn;
};

/** A rendered chart, as `deploy` takes it. */
type RenderedRelease = {
  readonly crds: readonly LocatedManifest[];
  readonly manifests: readonly LocatedManifest[];
  readonly invalid: InvalidManifests | undefined;
  readonly about: {
    readonly chart: Fields;
    readonly config: Fields;
    readonly notes: string;
    readonly manifest: string;
    readonly hooks: readonly Hook[];
  };
};

/** Renders a chart for a release of a cluster. Changes nothing. */
export async function renderRelease(
  order: ChartRequest,
  release: Release,
  cluster: Cluster,
  { signal }: { readonly signal: AbortSignal },
): Promise<RenderedRelease> {
  const objection = objectionToInstall(order.chart);
  if (objection !== undefined) throw new Fault(objection, undefined, { final: true });
  const revisions = await historyOf(cluster).revisions(release, { signal });
  const { chart, values } = valuesFor(order, revisions);
  const rendering = await renderFor({ ...order, chart, values }, release, revisions, cluster, signal);
  return {
    ...readRenderedManifests(rendering),
    ...(order.skipCrds === true ? { crds: [] } : {}),
    about: {
      chart: recordedChart(rendering.chart),
      config: plainFields(values),
      notes: rendering.notes,
      manifest: manifestText(rendering, { includeCrds: false }),
      hooks: rendering.hooks.map(hookRecord),
    },
  };
}

/** The chart and values, merged with those of the previous revision. Models helm pkg/action/upgrade.go prepareUpgrade */
function valuesFor({ chart, values, reuse, warn }: ChartRequest, revisions: readonly Revision[]): { chart: Chart; values: GoMap } {
  const before = deployedOf(revisions) ?? latestOf(revisions);
  if (before === undefined || before.state === "uninstalled") return { chart, values };
  return valuesForUpgrade(chart, values, recordedValues(before), reuse, warn);
}

async function renderFor(
  order: ChartRequest,
  release: Release,
  revisions: readonly Revision[],
  cluster: Cluster,
  signal: AbortSignal,
): Promise<Rendering> {
  const { chart, values, environment, postRender, helm = 4 } = order;
  const capabilities = await readCapabilities(cluster, { signal });
  let lookup: Lookup | undefined;
  const engine = new Engine(helmFunctions(environment, { lookup: (...question) => lookup?.(...question) }));
  const isUpgrade = revisions.some(({ state }) => state === "deployed" || state === "superseded");
  const facts = { ...release, revision: (latestOf(revisions)?.revision ?? 0) + 1, isUpgrade };
  const rendered = await resolveSchemas(order.loadSchema, (schemas) =>
    resolveLookups(
      (question) => lookUp(question, cluster, { signal }),
      (answers) => {
        lookup = answers;
        return renderFiles(chart, values, { ...order, ...schemas, engine, release: facts, capabilities });
      },
    ),
  );
  const files = postRender === undefined ? rendered.files : await applyPostRender(rendered.files, postRender);
  return sortRendering({ ...rendered, files }, helm);
}

function hookRecord({ head, file, text, weight, ...hook }: RenderedHook): Hook {
  return {
    name: head.metadata?.name ?? "",
    kind: head.kind,
    path: file,
    manifest: text,
    events: hook.events,
    weight,
    deletePolicies: hook.deletePolicies,
    outputLogPolicies: hook.outputLogPolicies,
    lastRun: { phase: "" },
  };
}

/** Keeps all digits of integers beyond JavaScript's safe range. */
function plainFields(values: GoMap): Fields {
  return exact(toPlain(values)) as Fields;
}

function exact(value: unknown): unknown {
  if (typeof value === "bigint") return integerOf(value);
  if (Array.isArray(value)) return value.map(exact);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, element]) => [key, exact(element)]));
}
