import type { BehaviourRule } from "../../embedded/index.ts";
import { refOf, stringAt, type KubeObject, type ObjectRef } from "../../core/object/index.ts";

/** How an object fails in a rehearsal. */
export type Failure = "crash" | "pull" | "never-ready" | "job-fails" | "denied";

/** What goes wrong in a rehearsal, on purpose. */
export type WhatIf = {
  readonly fail: readonly { readonly ref: ObjectRef; readonly how: Failure }[];
  readonly slow: readonly { readonly ref: ObjectRef; readonly ms: number }[];
  /** Nodes that are gone from the start, with the pods that ran on them. */
  readonly nodesDown: readonly string[];
  /** Which share of requests the API server answers with an error: 0.05. */
  readonly apiErrors: number;
};

export const nothingWrong: WhatIf = { fail: [], slow: [], nodesDown: [], apiErrors: 0 };

const podKinds = ["CronJob", "DaemonSet", "Deployment", "Job", "Pod", "ReplicaSet", "ReplicationController", "StatefulSet"];
const builtInGroups = ["", "apps", "batch"];

/** Whether the object runs pods, which can crash or lack their image. */
export function runsPods({ group, kind }: ObjectRef): boolean {
  return builtInGroups.includes(group) && podKinds.includes(kind);
}

/** How this object can fail, the most likely way first. Every write can be denied. */
export function possibleFailures(manifest: KubeObject): readonly Failure[] {
  const ref = refOf(manifest);
  const { group, kind } = ref;
  if (group === "batch" && kind === "Job") return ["job-fails", "pull", "never-ready", "denied"];
  if (runsPods(ref)) return ["crash", "pull", "never-ready", "denied"];
  const isAddressed = kind === "Service" && stringAt(manifest, "spec.type") === "LoadBalancer";
  if (group === "" && (kind === "PersistentVolumeClaim" || isAddressed)) return ["never-ready", "denied"];
  return ["denied"];
}

/** How the object then behaves; undefined when it is denied, which is no behaviour of its own. */
export function failingRule(ref: ObjectRef, how: Failure): BehaviourRule | undefined {
  const match = matchOf(ref);
  const never = { never: "it fails on purpose" };
  switch (how) {
    case "crash":
      // It must not count as ready for a moment.
      return { match, fail: { exitCode: 1, at: { fixed: 500 } }, ready: { after: { fixed: 1000 } } };
    case "job-fails":
      return { match, fail: { exitCode: 1, at: { fixed: 1000 } } };
    case "pull":
      return { match, pull: { after: { fixed: 1000 }, fail: "" } };
    case "never-ready":
      return ref.kind === "Job" ? { match, run: never } : { match, ready: never, bind: never, address: never };
    case "denied":
      return undefined;
  }
}

/** A workload takes so long to get ready, a Job to end, a claim to be bound, a Service to have its address. */
export function slowRule(ref: ObjectRef, ms: number): BehaviourRule {
  const after = { after: { fixed: ms } };
  return { match: matchOf(ref), ready: after, run: after, bind: after, address: after };
}

/** The object itself, or the pods that it controls. */
function matchOf({ kind, namespace, name }: ObjectRef): BehaviourRule["match"] {
  return { kind, workload: name, ...(namespace === "" ? {} : { namespace }) };
}
