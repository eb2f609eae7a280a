import type { Answer } from "../../../core/exchange/index.ts";
import { encodedObject } from "../../builtin/index.ts";
import { strategyOf, updateManagedFields, type ServedResource } from "../../apiserver/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { encodedAnswer } from "../answer.ts";
import type { RequestScope } from "../request-scope.ts";
import { createAdmissionOf } from "../create-admission.ts";
import { writeOptionsOf } from "../request-options.ts";
import { decodedBody, ensureRequestNamespace, methodNotAllowed } from "../write.ts";

/** A question to the API server, which answers it with the same object and stores nothing. */
type ReviewRequest = {
  readonly object: KubeObject;
  readonly warnings: readonly string[];
  /** Puts the object, which is valid, before the validating plugins. Throws a StatusError to reject it. */
  readonly validate: (object: KubeObject) => void;
};

/** The object that a review is created with, as the mutating plugins leave it. `resource` is that of the object, where the path has another. */
export function reviewRequestOf(scope: RequestScope, resource: ServedResource = scope.resource): ReviewRequest {
  const { server, request, query } = scope;
  if (request.method !== "POST") throw methodNotAllowed();
  const { object, warnings } = decodedBody(resource, request, query);
  const sent = strategyOf(resource).defaults(ensureRequestNamespace(scope, object));
  const owned = updateManagedFields(resource, undefined, sent, writeOptionsOf(scope), server.timestamp());
  const { admit, validate } = createAdmissionOf(scope, resource);
  return { object: admit(owned), warnings, validate };
}

/** Answers a review with its object. Empty fields are left out as the encoder does. */
export function reviewAnswer({ encoder }: RequestScope, object: KubeObject, warnings: readonly string[]): Answer {
  return encodedAnswer(encoder, 201, encodedObject(object), warnings);
}
