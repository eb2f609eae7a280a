import type { Answer } from "../../../core/exchange/index.ts";
import { stringAt } from "../../../core/object/index.ts";
import type { Authorizer } from "../../authorization/index.ts";
import { badRequestError } from "../../status-error.ts";
import { encodedAnswer } from "../answer.ts";
import type { RequestScope } from "../request-scope.ts";
import { reviewRequestOf } from "./review-request.ts";

/** Answers everything that the user may do in a namespace. Models pkg/registry/authorization/selfsubjectrulesreview/rest.go */
export function rulesReviewAnswer(scope: RequestScope, authorizer: Authorizer): Answer {
  const { object, warnings, validate } = reviewRequestOf(scope);
  const namespace = stringAt(object, "spec.namespace", "");
  if (namespace === "") throw badRequestError("no namespace on request");
  validate(object);
  const { rules, errors } = authorizer.rulesFor(scope.user, namespace);
  const status = {
    resourceRules: rules.flatMap(({ rule: { verbs, apiGroups, resources, resourceNames } }) =>
      resources.length === 0 ? [] : [{ verbs, apiGroups, resources, ...(resourceNames.length === 0 ? {} : { resourceNames }) }],
    ),
    nonResourceRules: rules.flatMap(({ rule: { verbs, nonResourceURLs } }) =>
      nonResourceURLs.length === 0 ? [] : [{ verbs, nonResourceURLs }],
    ),
    incomplete: false,
    ...(errors.length === 0 ? {} : { evaluationError: errors.length === 1 ? errors[0] : `[${errors.join(", ")}]` }),
  };
  // The real server answers with a new object, which has no spec.
  const { apiVersion, kind } = object;
  const answer = { apiVersion, kind, metadata: {}, spec: {}, status };
  return encodedAnswer(scope.encoder, 201, answer, warnings);
}
