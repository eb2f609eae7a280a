import { fieldManager } from "../api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { asNew } from "../../release/apply/index.ts";
import type { ApplyAction, Plan, Step } from "../../release/plan/index.ts";
import type { Progress } from "../../release/index.ts";
import { localOwner, type DesiredResources } from "./desired-resources.ts";
import type { SummaryStatusStore } from "./summary-status-store.ts";
import { proposeResources } from "./propose-resources.ts";
import type { AddonContext, AddonOptions, ClusterSummaryScope } from "./addon-request.ts";

/**
 * Creates the object of a first deploy that has only one, which is what most events bring. Its namespace is not read and no dry
 * run is made: of a single object, the API server says the same to the write itself. The write is on the condition that there
 * is no such object, and after the record of what may be there.
 *
 * Returns false when the content is not that plain, or when the write is refused for any reason: then nothing was reported, and
 * the deploy goes on as any other.
 */
export async function* createNewObject(
  desiredResources: DesiredResources,
  recordStart: () => Promise<void>,
  scope: ClusterSummaryScope,
  statusStore: SummaryStatusStore,
  context: AddonContext,
  { signal }: AddonOptions,
): AsyncGenerator<Progress, boolean> {
  const { manifests, conflicts } = desiredResources;
  if (manifests.length !== 1 || conflicts.length > 0) return false;
  const { cluster } = context;
  const planned = await planFor(desiredResources, scope, statusStore, context, signal);
  if (planned === undefined) return false;
  const { plan, step } = planned;
  await recordStart();
  const recording = context.recordings?.begin(statusStore.summary, { plan, carriesOn: false, sensitivities: new Map() });
  const startedAtMs = cluster.clock.now();
  try {
    await cluster.apply(asNew(step.action.manifest), { manager: fieldManager, force: true, signal });
  } catch (error) {
    if (signal.aborted || !(error instanceof Fault)) throw error;
    return false;
  }
  const subject = { id: step.id, verb: "apply", ref: step.action.ref } as const;
  recording?.onProgress({ type: "started", ...subject }, startedAtMs);
  recording?.onProgress({ type: "finished", ...subject, because: "created" });
  recording?.onProgress({ type: "done", status: "deployed" });
  recording?.end();
  yield { type: "planned", plan };
  yield { type: "finished", ...subject };
  return true;
}

/**
 * The plan as if the cluster had nothing of it; undefined when it is more than one creation. A problem is found again, and told,
 * by the ordinary deploy.
 */
async function planFor(
  desiredResources: DesiredResources,
  scope: ClusterSummaryScope,
  statusStore: SummaryStatusStore,
  context: AddonContext,
  signal: AbortSignal,
): Promise<{ readonly plan: Plan; readonly step: ApplyStep } | undefined> {
  try {
    const local = await localOwner(scope, context.cluster, { signal });
    const options = { signal, local, isFirst: true, assumeNew: true };
    const { plan } = await proposeResources(desiredResources, scope, statusStore, context, options);
    const step = onlyCreationIn(plan);
    return step === undefined ? undefined : { plan, step };
  } catch (error) {
    if (signal.aborted || !(error instanceof Fault)) throw error;
    return undefined;
  }
}

type ApplyStep = Step & { readonly action: ApplyAction };

/** The step that creates an object, when the plan has no other and nothing is to be waited for. Records are written elsewhere. */
function onlyCreationIn({ steps }: Plan): ApplyStep | undefined {
  const [step, ...others] = steps.filter(({ action }) => action.verb !== "record");
  if (step === undefined || others.length > 0 || !isApplyStep(step) || step.hook === true) return undefined;
  const { replace, waitForKind, replicasOnCreation } = step.action;
  return replace || waitForKind || replicasOnCreation !== undefined ? undefined : step;
}

function isApplyStep(step: Step): step is ApplyStep {
  return step.action.verb === "apply";
}
