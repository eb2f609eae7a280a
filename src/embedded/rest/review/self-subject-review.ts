import type { Answer } from "../../../core/exchange/index.ts";
import { userInfoFields } from "../../authentication/index.ts";
import { encodedAnswer } from "../answer.ts";
import type { RequestScope } from "../request-scope.ts";
import { reviewRequestOf } from "./review-request.ts";

/** Answers who asks. Models pkg/registry/authentication/selfsubjectreview/rest.go */
export function selfSubjectReviewAnswer(scope: RequestScope): Answer {
  const { object, warnings, validate } = reviewRequestOf(scope);
  validate(object);
  const { apiVersion, kind } = object;
  const status = { userInfo: userInfoFields(scope.user) };
  const answer = { apiVersion, kind, metadata: { creationTimestamp: scope.server.timestamp() }, status };
  return encodedAnswer(scope.encoder, 201, answer, warnings);
}
