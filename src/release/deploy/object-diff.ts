import { keyOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { concealed, type Sensitivity } from "../conceal/index.ts";
import type { ApplyAction, Plan, Step } from "../plan/index.ts";
import { namespaceRef } from "../prepare/index.ts";
import { narrowedTo } from "./narrowed-object.ts";
import { namespaceManifest } from "./release-namespace.ts";
import type { PlannedObject } from "./planned-object.ts";
import type { Proposal } from "./proposal.ts";
import { quoteHiderFor, type SensitiveProposal } from "./sensitive-objects.ts";

/** How one object changes, with sensitive values hidden. */
export type ObjectDiff = {
  readonly ref: ObjectRef;
  readonly change: "created" | "updated" | "recreated" | "deleted";
  /** The live object. Absent when it is created. */
  readonly before?: KubeObject;
  /** The object after the change. Absent when it is deleted. */
  readonly after?: KubeObject;
  /** What the two objects do not show. */
  readonly because?: string;
};

type Changing = Pick<Proposal, "plan" | "release" | "createsNamespace"> & SensitiveProposal;

/** How a proposal changes each object, in plan order. An object that is created and then cleaned up counts as created. */
export function objectDiffs(proposal: Changing): readonly ObjectDiff[] {
  const { plan, objects, release, createsNamespace } = proposal;
  const withoutSecrets = quoteHiderFor(proposal);
  const planned = new Map(objects.map((planned) => [keyOf(planned.ref), planned]));
  const applied = new Set(plan.steps.flatMap(({ action }) => (action.verb === "apply" ? [keyOf(action.ref)] : [])));
  const changes = new Map<string, ObjectDiff>();
  const releaseNamespace = namespaceRef(release.namespace);
  if (createsNamespace && !applied.has(keyOf(releaseNamespace)))
    changes.set(keyOf(releaseNamespace), { ref: releaseNamespace, change: "created", after: namespaceManifest(release.namespace) });
  for (const { action } of plan.steps) {
    if (action.verb !== "apply" && action.verb !== "delete") continue;
    const key = keyOf(action.ref);
    if (changes.has(key) || (action.verb === "delete" && applied.has(key))) continue;
    const change = action.verb === "apply" ? applying(action, planned.get(key)) : deleting(action.ref, planned.get(key));
    if (change !== undefined) changes.set(key, change);
  }
  return [...changes.values()].map(({ before, after, ...change }) => ({
    ...change,
    ...(before === undefined ? {} : { before: withoutSecrets(before) }),
    ...(after === undefined ? {} : { after: withoutSecrets(after) }),
  }));
}

/** The plan for display: with sensitive values hidden, and without what it does not touch. */
export function concealedPlan(proposal: Pick<Proposal, "plan"> & SensitiveProposal): Plan {
  const { untouched: _untouched, ...plan } = proposal.plan;
  const { objects } = proposal;
  const withoutSecrets = quoteHiderFor(proposal);
  const sensitive = new Map(objects.map((planned) => [keyOf(planned.ref), planned.sensitive]));
  const hidden = (apply: ApplyAction) => ({
    ...apply,
    manifest: withoutSecrets(concealed(apply.manifest, sensitive.get(keyOf(apply.ref)) ?? plainly)),
  });
  const steps = plan.steps.map((step): Step => {
    const { action } = step;
    if (action.verb === "apply") return { ...step, action: hidden(action) };
    if (action.verb !== "await" || action.recreate === undefined) return step;
    return { ...step, action: { ...action, recreate: hidden(action.recreate) } };
  });
  return { ...plan, steps };
}

const plainly: Sensitivity = { whole: false, paths: [] };

function applying({ ref, manifest, change }: ApplyAction, planned: PlannedObject | undefined): ObjectDiff | undefined {
  if (change === "unchanged") return undefined;
  const { live, next, sensitive } = planned ?? { sensitive: plainly };
  if (change === "created" || live === undefined) return { ref, change, after: concealed(manifest, sensitive) };
  const [before, after] = next === undefined ? [narrowedTo(live, manifest), manifest] : [live, next];
  return { ref, change, before: concealed(before, sensitive), after: concealed(after, sensitive, before) };
}

function deleting(ref: ObjectRef, planned: PlannedObject | undefined): ObjectDiff {
  const live = planned?.live;
  return { ref, change: "deleted", ...(live === undefined ? {} : { before: concealed(live, planned?.sensitive ?? plainly) }) };
}
