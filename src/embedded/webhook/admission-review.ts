import { isFields, jsonTypeOf, stringsAt, type Fields } from "../../core/object/index.ts";
import { WebhookResponseError } from "./webhook-response.ts";

const reviewVersions = ["v1", "v1beta1"];

/** The first version of reviews that the webhook and the server both know. */
export function reviewVersionOf(webhook: Fields): string {
  return stringsAt(webhook, "admissionReviewVersions").find((version) => reviewVersions.includes(version)) ?? "v1";
}

/** The review of a request. Its versions have the same fields. */
export function admissionReviewFor(version: string, uid: string, request: Fields): Fields {
  return { kind: "AdmissionReview", apiVersion: `admission.k8s.io/${version}`, request: { uid, ...request } };
}

/** What a webhook decided. */
export type AdmissionResponse = {
  readonly allowed: boolean;
  /** Decoded from base64; empty without a patch. */
  readonly patch: string;
  readonly patchType: string;
  readonly result: Fields | undefined;
  readonly warnings: readonly string[];
};

/** A response that contradicts the request. The message is what follows `received invalid webhook response: `. */
export class InvalidReviewError extends Error {}

const responseTypes: Readonly<Record<string, readonly [type: string, goType: string]>> = {
  uid: ["string", "types.UID"],
  allowed: ["boolean", "bool"],
  status: ["object", "v1.Status"],
  patch: ["string", "[]uint8"],
  patchType: ["string", "v1.PatchType"],
  auditAnnotations: ["object", "map[string]string"],
  warnings: ["array", "[]string"],
};

/** Reads the response of a review. Models VerifyAdmissionResponse */
export function admissionResponseOf(
  review: Fields,
  { version, uid, mutating }: { version: string; uid: string; mutating: boolean },
): AdmissionResponse {
  const { response } = review;
  if (response === undefined || response === null) throw new InvalidReviewError("webhook response was absent");
  if (!isFields(response)) throw mistyped(response, "AdmissionReview.response", `${version}.AdmissionResponse`);
  for (const [name, [type, goType]] of Object.entries(responseTypes)) {
    const value = response[name];
    if (value !== undefined && value !== null && jsonTypeOf(value) !== type)
      throw mistyped(
        value,
        `AdmissionResponse.response.${name}`,
        goType.startsWith("v1.") && name === "patchType" ? `${version}.PatchType` : goType,
      );
  }
  if (version === "v1") checkIdentity(review, response, uid);
  const { allowed = false, patch: encoded, patchType: type, status, warnings } = response;
  const patch = typeof encoded === "string" ? decodedPatch(encoded) : "";
  const patchType = version === "v1" ? checkedPatchType(patch, type, mutating) : "JSONPatch";
  return {
    allowed: allowed === true,
    patch: mutating ? patch : "",
    patchType,
    result: isFields(status) ? status : undefined,
    warnings: Array.isArray(warnings) ? warnings.filter((warning) => typeof warning === "string") : [],
  };
}

function mistyped(value: unknown, field: string, goType: string): WebhookResponseError {
  const type = jsonTypeOf(value);
  return new WebhookResponseError(
    `json: cannot unmarshal ${type === "boolean" ? "bool" : type} into Go struct field ${field} of type ${goType}`,
  );
}

function checkIdentity({ apiVersion = "", kind = "" }: Fields, { uid: answered = "" }: Fields, uid: string): void {
  if (answered !== uid)
    throw new InvalidReviewError(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(String(answered ?? ""))}`);
  if (apiVersion === "admission.k8s.io/v1" && kind === "AdmissionReview") return;
  const [version, group = ""] = String(apiVersion).split("/").reverse();
  throw new InvalidReviewError(
    `expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got ${group}/${version}, Kind=${String(kind)}`,
  );
}

/** Models encoding/base64: the position of the first byte that is wrong. */
function decodedPatch(encoded: string): string {
  const text = encoded.replaceAll(/[\r\n]/g, "");
  const valid = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
  if (valid.test(text)) return Buffer.from(text, "base64").toString();
  const bad = text.search(/[^A-Za-z0-9+/]/);
  throw new WebhookResponseError(`illegal base64 data at input byte ${bad < 0 ? text.length - (text.length % 4) : bad}`);
}

function checkedPatchType(patch: string, type: unknown, mutating: boolean): string {
  const isTyped = type !== undefined && type !== null;
  if (!mutating) {
    if (patch !== "") throw new InvalidReviewError("validating webhook may not return response.patch");
    if (isTyped) throw new InvalidReviewError("validating webhook may not return response.patchType");
    return "";
  }
  if (patch !== "" && !isTyped) throw new InvalidReviewError("webhook returned response.patch but not response.patchType");
  if (patch === "" && isTyped) throw new InvalidReviewError("webhook returned response.patchType but not response.patch");
  if (type === "") throw new InvalidReviewError('webhook returned invalid response.patchType of ""');
  return typeof type === "string" ? type : "";
}
