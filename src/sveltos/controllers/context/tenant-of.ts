import { gvkOf } from "../../api/index.ts";
import { managedUserOf, readTenant, validRequests, type TenantReading } from "../../tenant/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import type { ControllerContext } from "./controller-context.ts";

export const roleRequestKind = gvkOf("RoleRequest");

/** Whose word an object of the management cluster is. Needs the RoleRequests in the cache. */
export function tenantOf(
  { metadata: { labels } }: Pick<KubeObject, "metadata">,
  { cache }: Pick<ControllerContext, "cache">,
): TenantReading {
  const isNamed = labels?.["projectsveltos.io/admin-name"] !== undefined;
  return readTenant(labels, isNamed ? validRequests(cache.all(roleRequestKind)) : []);
}

/** Who pays for the templates of a trigger, and how messages name it. All triggers of a tenant have one turn together. */
export function templateOwnerOf(
  trigger: KubeObject,
  context: Pick<ControllerContext, "cache">,
): { readonly owner: string; readonly title: string } {
  const title = `${trigger.kind} ${trigger.metadata.name}`;
  const author = tenantOf(trigger, context);
  return { owner: author.state === "tenant" ? managedUserOf(author.tenant) : title, title };
}
