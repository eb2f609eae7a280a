import type { Answer } from "../../core/exchange/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { notFoundError, StatusError } from "../status-error.ts";
import { encodedAnswer } from "./answer.ts";
import { listOptionsOf } from "./list-options.ts";
import { transformedList } from "./object-transform.ts";
import { transformContextOf, type RequestScope } from "./request-scope.ts";
import { selectionPredicateOf } from "./selection-predicate.ts";
import { methodNotAllowed, objectAnswer } from "./write.ts";

/** The components of a control plane. All of them are in this process, and healthy while it answers. */
const components: readonly KubeObject[] = ["controller-manager", "scheduler", "etcd-0"].map((name) => ({
  apiVersion: "v1",
  kind: "ComponentStatus",
  metadata: { name },
  conditions: [{ type: "Healthy", status: "True", message: "ok" }],
}));

/** Serves what is asked and not stored: how the components are. Models pkg/registry/core/componentstatus/rest.go */
export function componentStatusAnswer(scope: RequestScope, { watch }: { readonly watch: boolean }): Answer {
  const { resource, target, query, request, encoder, transform } = scope;
  if (request.method !== "GET") throw methodNotAllowed();
  scope.warn("v1 ComponentStatus is deprecated in v1.19+");
  if (watch) throw notWatched(resource.plural);
  if (target.name !== "") {
    const found = components.find(({ metadata }) => metadata.name === target.name);
    if (found === undefined) throw notFoundError({ ...resource, plural: "componentstatus" }, target.name);
    return objectAnswer(scope, 200, found);
  }
  listOptionsOf(query, { watch: false });
  const selected = components.filter(selectionPredicateOf(resource, query).matches);
  if (transform !== undefined) return encodedAnswer(encoder, 200, transformedList(transform, selected, {}, transformContextOf(scope)));
  const list = { kind: "ComponentStatusList", apiVersion: "v1", metadata: {}, isTyped: true };
  return { status: 200, headers: { "content-type": encoder.contentType }, body: [encoder.encodeList(list, selected)] };
}

function notWatched(kind: string): StatusError {
  return new StatusError(405, "MethodNotAllowed", `watch is not supported on resources of kind ${JSON.stringify(kind)}`, { kind });
}
