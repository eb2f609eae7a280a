import { booleanAt, fieldsAt, numberAt, stringsAt, type KubeObject } from "../../../core/object/index.ts";
import { duplicate, invalid, notSupported, required, tooLong, type FieldError } from "../../field-error.ts";
import { has, present, text, within } from "./check.ts";
import type { KindRules } from "./kind.ts";
import { checked, coreMeta, coreMetaUpdate, objectMeta, objectMetaUpdate, unchanged } from "./meta.ts";
import { any, dns1035Label, dnsLabel, dnsSubdomain, inclusiveRange, pathSegment, type Check } from "./names.ts";

// Models kube-aggregator pkg/apis/apiregistration/validation and pkg/apis/certificates/validation, of which requests themselves are not read

function apiService(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const [group, version] = [text(spec, "group"), text(spec, "version")];
  const wanted = `${version}.${group}`;
  const name: Check = (given) => {
    const unfit = pathSegment(given);
    if (unfit.length > 0) return unfit;
    return given === wanted ? [] : [`must be \`spec.version+"."+spec.group\`: ${JSON.stringify(wanted)}`];
  };
  const [least, priority] = [numberAt(spec, "groupPriorityMinimum", 0), numberAt(spec, "versionPriority", 0)];
  return [
    ...objectMeta(object, { name, namespaced: false }),
    ...(group === "" && version !== "v1" ? [required("spec.group", "only v1 may have an empty group and it better be legacy kube")] : []),
    ...(group === "" ? [] : checked(dnsSubdomain, "spec.group", group)),
    ...checked(dns1035Label, "spec.version", version),
    ...(least <= 0 || least > 20_000 ? [invalid("spec.groupPriorityMinimum", least, "must be positive and less than 20000")] : []),
    ...(priority <= 0 || priority > 1000 ? [invalid("spec.versionPriority", priority, "must be positive and less than 1000")] : []),
    ...backend(object),
  ];
}

function backend(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const bundle = Buffer.byteLength(text(spec, "caBundle"), "base64");
  const insecure = booleanAt(spec, "insecureSkipTLSVerify");
  if (!has(spec, "service")) {
    return [
      ...(bundle > 0 ? [invalid("spec.caBundle", `${bundle} bytes`, "local APIServices may not have a caBundle")] : []),
      ...(insecure ? [invalid("spec.insecureSkipTLSVerify", true, "local APIServices may not have insecureSkipTLSVerify")] : []),
    ];
  }
  const service = within(spec, "service", "spec", (fields, at) => {
    const port = numberAt(fields, "port", 443);
    const unfit = port < 1 || port > 65_535 ? [invalid(`${at}.port`, port, `port is not valid: ${inclusiveRange(1, 65_535)}`)] : [];
    return [...present(fields, "namespace", at), ...present(fields, "name", at), ...unfit];
  });
  return [
    ...service,
    ...(insecure && bundle > 0 ? [invalid("spec.insecureSkipTLSVerify", true, "may not be true if caBundle is present")] : []),
  ];
}

export const apiServiceRules: KindRules = {
  create: apiService,
  update: (object, live) => [...objectMetaUpdate(object, live), ...apiService(object)],
  status: objectMetaUpdate,
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
  if (name === "") return [required(at)];
  const [domain = "", path = "", ...more] = name.split("/");
  if (!name.includes("/") || more.length > 0)
    return [invalid(at, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
  const labels = (part: string, check: Check): readonly FieldError[] => {
    const wrong = part.split(".").find((label) => check(label).length > 0);
    return wrong === undefined
      ? []
      : check(wrong).map((problem) => invalid(at, part, `validating label ${JSON.stringify(wrong)}: ${problem}`));
  };
  return [
    ...(domain.length > 253 ? [tooLong(at, 253)] : []),
    ...labels(domain, dnsLabel),
    ...(domain.includes(".") ? [] : [invalid(at, domain, "should be a domain with at least two segments separated by dots")]),
    ...labels(path, dnsSubdomain),
    ...(name.length > 571 ? [tooLong(at, 571)] : []),
  ];
}

function signingRequest(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const given = stringsAt(spec, "usages");
  const seconds = numberAt(spec, "expirationSeconds");
  const legacy = text(spec, "signerName") === "kubernetes.io/legacy-unknown";
  const at = "spec.signerName";
  return [
    ...coreMeta(object, { name: any, namespaced: false }),
    ...(given.length === 0 ? [required("spec.usages")] : []),
    ...given.flatMap((usage, index) => (usages.includes(usage) ? [] : [notSupported(`spec.usages[${index}]`, usage, usages)])),
    ...given.flatMap((usage, index) => (given.indexOf(usage) < index ? [duplicate(`spec.usages[${index}]`, usage)] : [])),
    ...(legacy
      ? [invalid(at, text(spec, "signerName"), "the legacy signerName is not allowed via this API version")]
      : signerName(text(spec, "signerName"), at)),
    ...(seconds !== undefined && seconds < 600
      ? [invalid("spec.expirationSeconds", seconds, "may not specify a duration less than 600 seconds (10 minutes)")]
      : []),
  ];
}

export const signingRequestRules: KindRules = {
  create: signingRequest,
  update: (object, live) => [
    ...signingRequest(object),
    ...coreMetaUpdate(object, live),
    ...unchanged(object["spec"], live["spec"], "spec"),
  ],
};
