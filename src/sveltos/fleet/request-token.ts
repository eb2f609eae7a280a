import type { Cluster } from "../../kube/index.ts";
import { stringAt } from "../../core/object/index.ts";

/** A token of a ServiceAccount, and until when it is valid. */
type RequestedToken = { readonly token: string; readonly expiresAtMs: number };

/** Requests a token of a ServiceAccount. The API server decides how long it is valid; `expirationSeconds` is a wish. */
export async function requestToken(
  cluster: Cluster,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  { expirationSeconds, signal }: { readonly expirationSeconds?: number; readonly signal: AbortSignal },
): Promise<RequestedToken> {
  const under = { group: "", version: "v1", kind: "ServiceAccount", namespace, name };
  const spec = expirationSeconds === undefined ? {} : { expirationSeconds };
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", metadata: { name }, spec };
  const answer = await cluster.create(request, { under, subresource: "token", signal });
  return { token: stringAt(answer, "status.token", ""), expiresAtMs: Date.parse(stringAt(answer, "status.expirationTimestamp", "")) };
}
