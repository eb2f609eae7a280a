import type { Answer } from "../../../core/exchange/index.ts";
import { stringAt, stringsAt } from "../../../core/object/index.ts";
import { issuer, userInfoFields, type ServiceAccountTokens, type TokenResult } from "../../authentication/index.ts";
import { badRequestError } from "../../status-error.ts";
import type { RequestScope } from "../request-scope.ts";
import { reviewAnswer, reviewRequestOf } from "./review-request.ts";

/** Answers whose token it is. Models pkg/registry/authentication/tokenreview/storage.go */
export function tokenReviewAnswer(scope: RequestScope, tokens: ServiceAccountTokens): Answer {
  const { object, warnings, validate } = reviewRequestOf(scope);
  const token = stringAt(object, "spec.token", "");
  if (token === "") throw badRequestError("token is required for TokenReview in authentication");
  validate(object);
  const asked = stringsAt(object, "spec.audiences");
  const result = tokens.validate(token, asked.length === 0 ? [issuer] : asked);
  return reviewAnswer(scope, { ...object, status: statusOf(result) }, warnings);
}

function statusOf(result: TokenResult): unknown {
  const invalid = "invalid bearer token";
  if (result === undefined) return { user: {}, error: invalid };
  if (typeof result === "string") return { user: {}, error: `[${invalid}, ${result}]` };
  return { authenticated: true, user: userInfoFields(result.user), audiences: result.audiences };
}
