import { booleanAt, fieldsAt, numberAt, stringsAt, type KubeObject } from "../../../core/object/index.ts";
import { fieldDuplicate, fieldInvalid, fieldNotSupported, fieldRequired, fieldTooLong, type FieldError } from "../../field-error.ts";
import { hasField, checkPresent, stringField, checkNestedObject } from "./field-checks.ts";
import type { KindRules } from "./kind-rules.ts";
import {
  formatErrors,
  validateCoreObjectMeta,
  validateCoreObjectMetaUpdate,
  validateObjectMeta,
  validateObjectMetaUpdate,
  validateImmutableField,
} from "./object-meta.ts";
import {
  checkNothing,
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  inclusiveRange,
  checkPathSegment,
  type StringFormatCheck,
} from "./name-formats.ts";

// Models kube-aggregator pkg/apis/apiregistration/validation and pkg/apis/certificates/validation, of which requests themselves are not read

function apiService(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const [group, version] = [stringField(spec, "group"), stringField(spec, "version")];
  const wanted = `${version}.${group}`;
  const name: StringFormatCheck = (given) => {
    const unfit = checkPathSegment(given);
    if (unfit.length > 0) return unfit;
    return given === wanted ? [] : [`must be \`spec.version+"."+spec.group\`: ${JSON.stringify(wanted)}`];
  };
  const [least, priority] = [numberAt(spec, "groupPriorityMinimum", 0), numberAt(spec, "versionPriority", 0)];
  return [
    ...validateObjectMeta(object, { name, namespaced: false }),
    ...(group === "" && version !== "v1"
      ? [fieldRequired("spec.group", "only v1 may have an empty group and it better be legacy kube")]
      : []),
    ...(group === "" ? [] : formatErrors(checkDnsSubdomain, "spec.group", group)),
    ...formatErrors(checkDns1035Label, "spec.version", version),
    ...(least <= 0 || least > 20_000 ? [fieldInvalid("spec.groupPriorityMinimum", least, "must be positive and less than 20000")] : []),
    ...(priority <= 0 || priority > 1000 ? [fieldInvalid("spec.versionPriority", priority, "must be positive and less than 1000")] : []),
    ...backend(object),
  ];
}

function backend(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const bundle = Buffer.byteLength(stringField(spec, "caBundle"), "base64");
  const insecure = booleanAt(spec, "insecureSkipTLSVerify");
  if (!hasField(spec, "service")) {
    return [
      ...(bundle > 0 ? [fieldInvalid("spec.caBundle", `${bundle} bytes`, "local APIServices may not have a caBundle")] : []),
      ...(insecure ? [fieldInvalid("spec.insecureSkipTLSVerify", true, "local APIServices may not have insecureSkipTLSVerify")] : []),
    ];
  }
  const service = checkNestedObject(spec, "service", "spec", (fields, at) => {
    const port = numberAt(fields, "port", 443);
    const unfit = port < 1 || port > 65_535 ? [fieldInvalid(`${at}.port`, port, `port is not valid: ${inclusiveRange(1, 65_535)}`)] : [];
    return [...checkPresent(fields, "namespace", at), ...checkPresent(fields, "name", at), ...unfit];
  });
  return [
    ...service,
    ...(insecure && bundle > 0 ? [fieldInvalid("spec.insecureSkipTLSVerify", true, "may not be true if caBundle is present")] : []),
  ];
}

export const apiServiceRules: KindRules = {
  create: apiService,
  update: (object, live) => [...validateObjectMetaUpdate(object, live), ...apiService(object)],
  status: validateObjectMetaUpdate,
};

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

function signingRequest(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const given = stringsAt(spec, "usages");
  const seconds = numberAt(spec, "expirationSeconds");
  const legacy = stringField(spec, "signerName") === "kubernetes.io/legacy-unknown";
  const at = "spec.signerName";
  return [
    ...validateCoreObjectMeta(object, { name: checkNothing, namespaced: false }),
    ...(given.length === 0 ? [fieldRequired("spec.usages")] : []),
    ...given.flatMap((usage, index) => (usages.includes(usage) ? [] : [fieldNotSupported(`spec.usages[${index}]`, usage, usages)])),
    ...given.flatMap((usage, index) => (given.indexOf(usage) < index ? [fieldDuplicate(`spec.usages[${index}]`, usage)] : [])),
    ...(legacy
      ? [fieldInvalid(at, stringField(spec, "signerName"), "the legacy signerName is not allowed via this API version")]
      : signerName(stringField(spec, "signerName"), at)),
    ...(seconds !== undefined && seconds < 600
      ? [fieldInvalid("spec.expirationSeconds", seconds, "may not specify a duration less than 600 seconds (10 minutes)")]
      : []),
  ];
}

export const signingRequestRules: KindRules = {
  create: signingRequest,
  update: (object, live) => [
    ...signingRequest(object),
    ...validateCoreObjectMetaUpdate(object, live),
    ...validateImmutableField(object["spec"], live["spec"], "spec"),
  ],
};
