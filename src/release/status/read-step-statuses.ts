import type { Cluster } from "../../kube/index.ts";
import { isDeleting, keyOf, type KubeObject } from "../../core/object/index.ts";
import { deletionText } from "../../health/index.ts";
import { defaultTracking, type Action, type Plan, type Step } from "../plan/index.ts";
import type { Revision } from "../record/index.ts";
import { readLive, type LiveQuery, type LiveState } from "../live/index.ts";
import { readDependents, readHealth, type HealthOptions, type HealthQuery, type ObjectHealth } from "../track/index.ts";
import type { StepStatus } from "../why/index.ts";
import { mayBeAbsent } from "./may-be-absent.ts";

type Options = Omit<HealthOptions, "known"> & {
  /** Reads whether live objects are as their manifests want them. Default: a dry run of each. */
  readonly readOutcomes?: (items: readonly LiveQuery[]) => Promise<LiveState["facts"]>;
};
type ApplyAction = Extract<Action, { verb: "apply" }>;
type Objects = ReadonlyMap<string, KubeObject | undefined>;

/** Reads the status of each step that touches or awaits an object. */
export async function readStepStatuses(
  plan: Plan,
  revision: Revision,
  cluster: Cluster,
  options: Options,
): Promise<ReadonlyMap<string, StepStatus>> {
  const queries = plan.steps.flatMap((step) => healthQueriesOf(step));
  const healths = await readHealth(
    queries.map(({ about }) => about),
    cluster,
    options,
  );
  const objects: Objects = new Map(healths.map(({ live }, at) => [keyOf(queries[at]!.about.ref), live]));
  const verdicts = await readDryRuns(plan, revision, objects, cluster, options);
  const left = await readLeftDependents(plan, objects, cluster, options);
  const statuses = new Map<string, StepStatus>();
  const spent = spentIn(plan, revision);
  for (const [at, { step, about }] of queries.entries()) {
    const found = healths[at]!;
    const isSpent = found.live === undefined && found.hidden === undefined && spent.has(keyOf(about.ref));
    const dependents = awaitsDependents(step.action) ? left.get(keyOf(step.action.ref)) : undefined;
    const status = isSpent ? doneStatus : stepStatusOf(step, found, revision, verdicts);
    statuses.set(step.id, status.state === "done" && dependents !== undefined ? { state: "progressing", because: dependents } : status);
  }
  return statuses;
}

const doneStatus = { state: "done" } as const;

function awaitsDependents(action: Action): action is Extract<Action, { verb: "await" }> {
  return action.verb === "await" && action.dependents === true;
}

/** What is left of workloads that are gone themselves. */
async function readLeftDependents(
  { steps }: Plan,
  objects: Objects,
  cluster: Cluster,
  { signal }: Options,
): Promise<ReadonlyMap<string, string>> {
  const actions = steps.map(({ action }) => action).filter(awaitsDependents);
  const gone = actions.filter(({ ref }) => objects.get(keyOf(ref)) === undefined).map(({ ref, uid = "" }) => ({ ref, uid }));
  return readDependents(gone, cluster, { signal });
}

/** The objects of a deployed release that may be missing. */
function spentIn({ steps }: Plan, { state }: Revision): ReadonlySet<string> {
  if (state !== "deployed") return new Set();
  const keys = steps.flatMap(({ action, policies }) =>
    action.verb === "apply" && mayBeAbsent(action.manifest, policies) ? [keyOf(action.ref)] : [],
  );
  return new Set(keys);
}

const anything = { until: "present" } as const;

/** What to read for a step. For apply and delete only the existence of the object matters. */
function healthQueriesOf(step: Step): readonly { readonly step: Step; readonly about: HealthQuery }[] {
  const { action } = step;
  if (action.verb === "join" || action.verb === "record") return [];
  const { ref } = action;
  if (action.verb !== "await") return [{ step, about: { ref, gates: [anything], tracking: defaultTracking } }];
  const { gates, tracking, resource, uid } = action;
  const about = { ref, gates, tracking, ...(resource === undefined ? {} : { resource }), ...(uid === undefined ? {} : { uid }) };
  return [{ step, about }];
}

/** Dry runs that show whether live objects are up to date. A deployed revision needs none. */
async function readDryRuns(
  { steps }: Plan,
  { state }: Revision,
  objects: Objects,
  cluster: Cluster,
  { signal, readOutcomes }: Options,
): Promise<LiveState["facts"]> {
  if (state === "deployed") return new Map();
  const items = steps.flatMap(({ action }) =>
    action.verb === "apply" && !action.replace && objects.get(keyOf(action.ref)) !== undefined
      ? [{ ref: action.ref, manifest: action.manifest, keepsReplicas: action.replicasOnCreation !== undefined }]
      : [],
  );
  if (readOutcomes !== undefined) return readOutcomes(items);
  const { facts } = await readLive(items, cluster, { signal, manager: "helm", force: true });
  return facts;
}

function stepStatusOf(
  { action }: Step,
  { ref, live, health, hidden }: ObjectHealth,
  revision: Revision,
  verdicts: LiveState["facts"],
): StepStatus {
  if (hidden !== undefined) return { state: "progressing", because: `it cannot be looked at: ${hidden}`, ref };
  if (action.verb === "apply") return applyStatus(action, live, revision, verdicts);
  if (action.verb === "delete") return deleteStatus(action, live);
  if (health.state === "ready") return { state: "done" };
  const state = live === undefined && health.state === "progressing" ? "missing" : health.state;
  return { state, because: health.because, ref };
}

function applyStatus(action: ApplyAction, live: KubeObject | undefined, revision: Revision, verdicts: LiveState["facts"]): StepStatus {
  if (live === undefined) return { state: "missing", because: "it does not exist" };
  if (isDeleting(live) && !isOfRun(live, revision))
    return { state: "progressing", because: `the old one is to go first: ${deletionText(live)}`, held: true };
  if (action.replace)
    return isOfRun(live, revision) ? { state: "done" } : { state: "missing", because: "it is still the one of an earlier run" };
  const says = verdicts.get(keyOf(action.ref))?.dryRun?.outcome ?? "unchanged";
  // Without the right to a dry run, an existing object counts as up to date.
  if (says === "unchanged" || says === "refused") return { state: "done" };
  return { state: "progressing", because: `it is not yet as revision ${revision.revision} wants it` };
}

/** Whether an object that is created anew belongs to this run, by its creation time. Timestamps have a resolution of one second. */
function isOfRun({ metadata }: KubeObject, { state, lastDeployed }: Revision): boolean {
  if (state === "deployed" || lastDeployed === undefined) return true;
  return Date.parse(metadata.creationTimestamp ?? "") + 1000 > Date.parse(lastDeployed);
}

function deleteStatus({ uid }: Extract<Action, { verb: "delete" }>, live: KubeObject | undefined): StepStatus {
  const isGone = live === undefined || live.metadata.deletionTimestamp !== undefined || (uid !== undefined && live.metadata.uid !== uid);
  return isGone ? { state: "done" } : { state: "progressing", because: "it is still there" };
}
