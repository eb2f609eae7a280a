import { parseCertificateRequest, CertificateRequestFault, type CertificateRequest } from "../../../lang/x509/index.ts";
import { fieldsAt, listAt, numberAt, stringAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import {
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
  type FieldError,
} from "../../field-error.ts";
import { isSemanticDeepEqual } from "../field-edits.ts";
import { stringField } from "./field-checks.ts";
import { asGo } from "./go-value.ts";
import type { KindRules } from "./kind-rules.ts";
import { checkDnsLabel, checkDnsSubdomain, checkNothing, type StringFormatCheck } from "./name-formats.ts";
import { validateCoreObjectMeta, validateCoreObjectMetaUpdate } from "./object-meta.ts";
import { validateCertificates } from "./certificate-chain.ts";
import { unifiedDiff } from "./unified-diff.ts";

// Models pkg/apis/certificates/validation/validation.go

const usages = [
  "any",
  "cert sign",
  "client auth",
  "code signing",
  "content commitment",
  "crl sign",
  "data encipherment",
  "decipher only",
  "digital signature",
  "email protection",
  "encipher only",
  "ipsec end system",
  "ipsec tunnel",
  "ipsec user",
  "key agreement",
  "key encipherment",
  "microsoft sgc",
  "netscape sgc",
  "ocsp signing",
  "s/mime",
  "server auth",
  "signing",
  "timestamping",
];

/** Models pkg/apis/core/validation/names.go ValidateSignerName */
function signerName(name: string, at: string): readonly FieldError[] {
  if (name === "") return [fieldRequired(at)];
  const [domain = "", path = "", ...more] = name.split("/");
  if (!name.includes("/") || more.length > 0)
    return [fieldInvalid(at, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
  const labels = (part: string, check: StringFormatCheck): readonly FieldError[] => {
    const wrong = part.split(".").find((label) => check(label).length > 0);
    return wrong === undefined
      ? []
      : check(wrong).map((problem) => fieldInvalid(at, part, `validating label ${JSON.stringify(wrong)}: ${problem}`));
  };
  return [
    ...(domain.length > 253 ? [fieldTooLong(at, 253)] : []),
    ...labels(domain, checkDnsLabel),
    ...(domain.includes(".") ? [] : [fieldInvalid(at, domain, "should be a domain with at least two segments separated by dots")]),
    ...labels(path, checkDnsSubdomain),
    ...(name.length > 571 ? [fieldTooLong(at, 571)] : []),
  ];
}

/** The request in `spec.request`, or why it is none. */
export function certificateRequestIn(object: KubeObject): CertificateRequest | string {
  try {
    return parseCertificateRequest(Buffer.from(stringAt(object, "spec.request", ""), "base64").toString("latin1"));
  } catch (error) {
    if (error instanceof CertificateRequestFault) return error.message;
    throw error;
  }
}

function requestErrors(object: KubeObject): readonly FieldError[] {
  const request = certificateRequestIn(object);
  const why = typeof request === "string" ? request : request.signatureError;
  return why === undefined ? [] : [fieldInvalid("spec.request", stringAt(object, "spec.request", ""), why)];
}

function signingRequest(object: KubeObject, live?: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const given = stringsAt(spec, "usages");
  const seconds = numberAt(spec, "expirationSeconds");
  const legacy = stringField(spec, "signerName") === "kubernetes.io/legacy-unknown";
  const at = "spec.signerName";
  return [
    ...validateCoreObjectMeta(object, { name: checkNothing, namespaced: false }),
    ...requestErrors(object),
    ...(given.length === 0 ? [fieldRequired("spec.usages")] : []),
    ...given.flatMap((usage, index) => (usages.includes(usage) ? [] : [fieldNotSupported(`spec.usages[${index}]`, usage, usages)])),
    ...given.flatMap((usage, index) => (given.indexOf(usage) < index ? [fieldDuplicate(`spec.usages[${index}]`, usage)] : [])),
    ...(legacy
      ? [fieldInvalid(at, stringField(spec, "signerName"), "the legacy signerName is not allowed via this API version")]
      : signerName(stringField(spec, "signerName"), at)),
    ...(seconds !== undefined && seconds < 600
      ? [fieldInvalid("spec.expirationSeconds", seconds, "may not specify a duration less than 600 seconds (10 minutes)")]
      : []),
    ...conditionErrors(listAt(object, "status.conditions"), listAt(live, "status.conditions")),
    ...certificateErrors(object, live),
  ];
}

function certificateErrors(object: KubeObject, live: KubeObject | undefined): readonly FieldError[] {
  const certificate = stringAt(object, "status.certificate", "");
  if (certificate === "" || certificate === stringAt(live, "status.certificate", "")) return [];
  const why = validateCertificates(Buffer.from(certificate, "base64").toString("latin1"));
  return why === undefined ? [] : [fieldInvalid("status.certificate", "<certificate data>", why)];
}

const path = "status.conditions";
const exclusive = "Approved and Denied conditions are mutually exclusive";
const decisions = ["Approved", "Denied"];
const typeOf = (condition: Fields): string => stringField(condition, "type");

function conditionErrors(conditions: readonly Fields[], live: readonly Fields[]): readonly FieldError[] {
  const wasBoth = decisions.every((type) => live.some((each) => typeOf(each) === type));
  const hadDuplicates = new Set(live.map(typeOf)).size < live.length;
  return conditions.flatMap((condition, index) => {
    const [type, status, before] = [typeOf(condition), stringField(condition, "status"), conditions.slice(0, index)];
    const allowed = [...decisions, "Failed"].includes(type) ? ["True"] : ["False", "True", "Unknown"];
    const other = decisions.find((each) => each !== type);
    const isBoth = decisions.includes(type) && before.some((each) => typeOf(each) === other);
    const isSecond = before.some((each) => typeOf(each) === type);
    return [
      ...(type === "" && !live.some((each) => typeOf(each) === "") ? [fieldRequired(`${path}[${index}].type`)] : []),
      ...(status === "" ? [fieldRequired(`${path}[${index}].status`)] : []),
      ...(status !== "" && !allowed.includes(status) ? [fieldNotSupported(`${path}[${index}].status`, status, allowed)] : []),
      ...(isBoth && !wasBoth ? [fieldInvalid(path, type, exclusive)] : []),
      ...(isSecond && !hadDuplicates ? [fieldDuplicate(`${path}[${index}].type`, type)] : []),
    ];
  });
}

/** What an update may set: the decision by way of `approval`, the certificate by way of `status`. */
type Settable = "nothing" | "decision" | "certificate";

function instances(object: KubeObject, type: string): readonly Fields[] {
  return listAt(object, path).filter((each) => typeOf(each) === type);
}

function signingRequestUpdate(object: KubeObject, live: KubeObject, settable: Settable): readonly FieldError[] {
  const removed = [...decisions, "Failed"].filter((type) => instances(object, type).length < instances(live, type).length);
  const changedTypes = settable === "decision" ? [] : decisions;
  const [before, after] = [live, object].map((each) => stringAt(each, "status.certificate", ""));
  return [
    ...signingRequest(object, live),
    ...removed.map((type) => fieldForbidden(path, `updates may not remove a condition of type ${JSON.stringify(type)}`)),
    ...changedTypes.flatMap((type) => decisionErrors(type, instances(object, type), instances(live, type))),
    ...(before === after || (settable === "certificate" && before === "")
      ? []
      : [
          fieldForbidden(
            "status.certificate",
            settable === "certificate" ? "updates may not modify existing certificate content" : "updates may not set certificate content",
          ),
        ]),
    ...validateCoreObjectMetaUpdate(object, live),
  ];
}

/** The conditions as the server's difference shows them. */
function lines(conditions: readonly Fields[]): readonly string[] {
  const shown = conditions.map((each) => asGo(each, "certificates.CertificateSigningRequestCondition"));
  return JSON.stringify(shown, null, " ").split("\n");
}

function decisionErrors(type: string, next: readonly Fields[], last: readonly Fields[]): readonly FieldError[] {
  const quoted = JSON.stringify(type);
  if (next.length > last.length) return [fieldForbidden(path, `updates may not add a condition of type ${quoted}`)];
  if (next.length < last.length || isSemanticDeepEqual(next, last)) return [];
  return [fieldForbidden(path, `updates may not modify a condition of type ${quoted}\n${unifiedDiff(lines(last), lines(next))}`)];
}

export const signingRequestRules: KindRules = {
  create: (object) => signingRequest(object),
  update: (object, live) => signingRequestUpdate(object, live, "nothing"),
  status: (object, live) => signingRequestUpdate(object, live, "certificate"),
};

/** The rules of the subresource `approval`. */
export function validateApproval(object: KubeObject, live: KubeObject): readonly FieldError[] {
  return signingRequestUpdate(object, live, "decision");
}
