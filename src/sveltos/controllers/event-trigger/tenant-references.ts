import { eventTriggerNameLabel, sveltosNamespace } from "../../api/index.ts";
import type { HubReference } from "../../instantiate/index.ts";
import { hubUserOf, isSameTenant, tenantText } from "../../tenant/index.ts";
import { isForbidden } from "../../../kube/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { tenantOf, type ControllerContext } from "../context/index.ts";
import { denyTrigger, type TriggerDecision } from "./decide-trigger.ts";

type Decide = (mayRead?: (reference: HubReference, object: KubeObject | undefined) => boolean) => Promise<TriggerDecision>;

/**
 * Decides for a trigger of a tenant with what the tenant may read in the management cluster. Names of references may be templates,
 * so they are known only by deciding: it is done again until the API server has been asked about each of them.
 */
export async function decideForTenant(
  trigger: KubeObject | undefined,
  decide: Decide,
  context: ControllerContext,
  signal: AbortSignal,
): Promise<{ readonly decision: TriggerDecision; readonly denials: readonly string[] }> {
  const author = trigger && tenantOf(trigger, context);
  if (author?.state !== "tenant") return { decision: await decide(), denials: [] };
  const { tenant } = author;
  const hub = context.hub.impersonate(hubUserOf(tenant));
  /** By reference: why it may not be read; undefined: it may. */
  const asked = new Map<string, string | undefined>();
  for (;;) {
    const unasked = new Map<string, HubReference>();
    const decision = await decide((reference, object) => {
      if (isOwn(reference, object)) return true;
      const key = keyOfReference(reference);
      if (!asked.has(key)) unasked.set(key, reference);
      return asked.has(key) && asked.get(key) === undefined;
    });
    const denials = [...asked.values()].flatMap((denial) => denial ?? []);
    if (unasked.size === 0) return { decision: denials.length === 0 ? decision : denyTrigger(decision, denials), denials };
    for (const [key, reference] of unasked) asked.set(key, await readDenial(reference));
  }

  async function readDenial({ kind, namespace, name }: HubReference): Promise<string | undefined> {
    try {
      await hub.find({ group: "", version: "v1", kind, namespace, name }, { signal });
      return undefined;
    } catch (error) {
      if (!isForbidden(error)) throw error;
      return `${tenantText(tenant)} in the management cluster: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  /** Names of profiles are looked up to see whether they are free; what its triggers have generated is the tenant's own. */
  function isOwn({ kind, namespace }: HubReference, object: KubeObject | undefined): boolean {
    if (kind === "ClusterProfile") return true;
    if (namespace !== sveltosNamespace || object?.metadata.labels?.[eventTriggerNameLabel] === undefined) return false;
    const of = tenantOf(object, context);
    return of.state === "tenant" && isSameTenant(of.tenant, tenant);
  }
}

function keyOfReference({ kind, namespace, name }: HubReference): string {
  return `${kind} ${namespace}/${name}`;
}
