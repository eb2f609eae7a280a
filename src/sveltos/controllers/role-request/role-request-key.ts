/** A RoleRequest in a cluster, by the fleet's key. */
export type RoleRequestKey = { readonly request: string; readonly cluster: string };

/** In queues, maps and logs: `Sveltos/mgmt/c1/eng-access`. */
export function roleRequestIdentity({ request, cluster }: RoleRequestKey): string {
  return `${cluster}/${request}`;
}
