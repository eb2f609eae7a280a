import { conditionsOf, keyOf, refOf, stringAt, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { RecordedRun, RecordedStep } from "../recording/index.ts";

/** How long a custom resource took to get ready, and the conditions that its operator wrote. */
export type CustomResourceEvidence = {
  readonly ref: ObjectRef;
  /** The name of its CRD: `certificates.cert-manager.io`. */
  readonly crd: string;
  readonly readyMs: number;
  readonly conditions: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
};

/** Learns from recorded runs how long custom resources took, and from the live ones which conditions they have by now. */
export function customResourceEvidence(runs: readonly RecordedRun[], live: readonly KubeObject[]): readonly CustomResourceEvidence[] {
  const crds = new Map(
    live.flatMap((object) => (object.kind === "CustomResourceDefinition" ? [[definedKind(object), object.metadata.name]] : [])),
  );
  const conditionsByKey = new Map(live.map((object) => [keyOf(refOf(object)), conditionsOf(object)]));
  const found = new Map<string, CustomResourceEvidence>();
  for (const { ref, readyMs } of runs.flatMap(readyTimesIn)) {
    const crd = crds.get(`${ref.group}/${ref.kind}`);
    const conditions = conditionsByKey.get(keyOf(ref)) ?? [];
    if (crd === undefined || conditions.length === 0) continue;
    found.set(keyOf(ref), {
      ref,
      crd,
      readyMs,
      conditions: conditions.map(({ type, status, reason }) => ({ type, status, ...(reason === undefined ? {} : { reason }) })),
    });
  }
  return [...found.values()];
}

function definedKind(crd: KubeObject): string {
  return `${stringAt(crd, "spec.group", "")}/${stringAt(crd, "spec.names.kind", "")}`;
}

/** From the end of each apply to the end of the wait until the object was ready. */
function readyTimesIn({ steps }: RecordedRun): readonly { readonly ref: ObjectRef; readonly readyMs: number }[] {
  const applied = new Map(
    steps.flatMap((step) => (step.verb === "apply" && step.endedAtMs !== undefined ? [[keyOf(step.ref), step.endedAtMs]] : [])),
  );
  return steps.filter(isReadyWait).flatMap(({ ref, endedAtMs = 0 }) => {
    const appliedAtMs = applied.get(keyOf(ref));
    return appliedAtMs === undefined ? [] : [{ ref, readyMs: Math.max(0, endedAtMs - appliedAtMs) }];
  });
}

function isReadyWait({ verb, until, again, outcome }: RecordedStep): boolean {
  return verb === "await" && until === undefined && again === undefined && outcome === "finished";
}
