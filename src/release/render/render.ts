import {
  coalesceValues,
  crdFiles,
  schemaPreamble,
  validateAgainstSchema,
  processDependencies,
  type Chart,
  type ChartFile,
  type RemoteSchemas,
  type Warn,
} from "../../chart/index.ts";
import { Fault, type Problem } from "../../core/fault/index.ts";
import { parseConstraint, parseVersion, satisfies } from "../../lang/semver/index.ts";
import { compareGoStrings, fromBytes, LimitError, type Engine, type GoMap, type ExecLimits } from "../../lang/template/index.ts";
import { templateFilesOf, type ReleaseFacts } from "./template-files.ts";
import { TemplateFault } from "./template-fault.ts";
import { sortManifests, type RenderedHook, type RenderedManifest } from "./manifest/sort-manifests.ts";
import { defaultCapabilities, normalizedVersion, type Capabilities } from "./builtin-object/capabilities.ts";
import { valuesType } from "./builtin-object/values.ts";
import { renderTemplates } from "./render-templates.ts";

export type RenderChartOptions = {
  /** An engine with `helmFunctions`. Reuse it for many charts, because it caches compiled templates. */
  readonly engine: Engine;
  readonly release: ReleaseFacts;
  /** Default: Helm's capabilities without a cluster. */
  readonly capabilities?: Capabilities;
  /** Which Helm version to follow. Default: 4. */
  readonly helm?: 3 | 4;
  readonly limits?: ExecLimits;
  /** Missing values are errors. Default: they are empty. */
  readonly strict?: boolean;
  /** Includes the notes of subcharts. Default false. */
  readonly subchartNotes?: boolean;
  /** Skips the validation by `values.schema.json`. Default false. */
  readonly skipSchema?: boolean;
  /** The schemas that others refer to over HTTP, see `resolveSchemas`. Default: such references are refused. */
  readonly remoteSchemas?: RemoteSchemas;
  readonly warn?: Warn;
};

/** The output of a chart's templates, before it is split into manifests. */
export type RenderedFiles = {
  /** By template path, without the notes. */
  readonly files: ReadonlyMap<string, string>;
  readonly notes: string;
  /** The contents of `crds/` of the chart and its subcharts, unchanged. */
  readonly crds: readonly { readonly file: string; readonly text: string }[];
  /** The chart with resolved dependencies, as a release records it. */
  readonly chart: Chart;
};

/** A rendered chart: manifests and hooks in Helm's install order. */
export type Rendering = Omit<RenderedFiles, "files"> & {
  readonly manifests: readonly RenderedManifest[];
  readonly hooks: readonly RenderedHook[];
  /** Documents that Helm leaves out, and why. */
  readonly leftOut: readonly Problem[];
};

/** Renders a chart with the user's values. Throws a Fault in Helm's words. Models helm pkg/action renderResources */
export function render(chart: Chart, values: GoMap, options: RenderChartOptions): Rendering {
  return sortRendering(renderFiles(chart, values, options), options.helm);
}

/** Splits rendered files into manifests and hooks. */
export function sortRendering({ files, ...rest }: RenderedFiles, helm: 3 | 4 = 4): Rendering {
  return { ...sortManifests(files, helm), ...rest };
}

/** Executes the templates of a chart. */
export function renderFiles(chart: Chart, values: GoMap, options: RenderChartOptions): RenderedFiles {
  const { helm = 4, capabilities = defaultCapabilities, engine, release } = options;
  const warnings = options.warn === undefined ? {} : { warn: options.warn };
  const settled = processDependencies(chart, values, { helm, ...warnings });
  const known = coalesceValues(settled, values, { helm, type: valuesType, ...warnings });
  if (options.skipSchema !== true) checkSchema(settled, known, options);
  checkKubeVersion(settled, capabilities);
  const renderables = templateFilesOf(settled, known, release, capabilities);
  const files = withinLimits(chart, () => renderTemplates(engine, renderables, { ...options, helm }));
  const notes = takeNotes(files, settled, options.subchartNotes ?? false);
  const crds = crdFiles(settled).map(crdOf);
  return { files, notes, crds, chart: settled };
}

/** CRDs are often the most of a chart, and seldom printed: their text is decoded when it is read. */
function crdOf(file: ChartFile): RenderedFiles["crds"][number] {
  return {
    file: file.name,
    get text() {
      return fromBytes(file.data);
    },
  };
}

/** Charts are untrusted programs: one that exceeds its limits is stopped with an error. */
function withinLimits<Result>({ metadata }: Chart, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof LimitError ? new TemplateFault(`render chart ${metadata.name}: ${error.message}`, error) : error;
  }
}

function checkSchema(chart: Chart, values: GoMap, { warn, remoteSchemas }: Pick<RenderChartOptions, "warn" | "remoteSchemas">): void {
  const problems = validateAgainstSchema(chart, values, warn, remoteSchemas);
  if (problems !== undefined) throw new Fault(schemaPreamble + problems, undefined, { final: true });
}

function checkKubeVersion({ metadata: { kubeVersion } }: Chart, capabilities: Capabilities): void {
  if (kubeVersion === "" || isCompatible(kubeVersion, normalizedVersion(capabilities.kubeVersion))) return;
  const because = `chart requires kubeVersion: ${kubeVersion} which is incompatible with Kubernetes ${capabilities.kubeVersion}`;
  throw new Fault(because, undefined, { final: true });
}

function isCompatible(constraint: string, version: string): boolean {
  try {
    return satisfies(parseVersion(version), parseConstraint(constraint));
  } catch {
    // An invalid constraint matches nothing.
    return false;
  }
}

const notesName = "NOTES.txt";

/** Removes the notes from the rendered files and returns them. */
function takeNotes(files: Map<string, string>, { metadata }: Chart, subchartNotes: boolean): string {
  const own = `${metadata.name}/templates/${notesName}`;
  const paths = [...files.keys()].filter((path) => path.endsWith(notesName)).toSorted(compareGoStrings);
  const wanted = paths.filter((path) => subchartNotes || path === own).map((path) => files.get(path)!);
  for (const path of paths) files.delete(path);
  return wanted.reduce((notes, each) => (notes === "" ? each : `${notes}\n${each}`), "");
}
