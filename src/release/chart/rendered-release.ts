import { integerOf, type Fields } from "../../core/object/index.ts";
import { toPlain, type GoMap } from "../../lang/template/index.ts";
import type { InvalidManifests, LocatedManifest } from "../../lang/yaml/index.ts";
import type { Hook } from "../record/index.ts";
import { manifestText, readRenderedManifests, recordedChart, type RenderedHook, type Rendering } from "../render/index.ts";

/** A rendered chart, as `deploy` takes it. */
export type RenderedRelease = {
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

/** Reads the manifests of a rendering, and what a revision records of it. */
export function renderedReleaseOf(rendering: Rendering, values: GoMap): RenderedRelease {
  return {
    ...readRenderedManifests(rendering),
    about: {
      chart: recordedChart(rendering.chart),
      config: plainFields(values),
      notes: rendering.notes,
      manifest: manifestText(rendering, { includeCrds: false }),
      hooks: rendering.hooks.map(hookRecord),
    },
  };
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
