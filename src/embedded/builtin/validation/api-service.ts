import { booleanAt, fieldsAt, numberAt, type KubeObject } from "../../../core/object/index.ts";
import { fieldInvalid, fieldRequired, type FieldError } from "../../field-error.ts";
import { hasField, checkPresent, stringField, checkNestedObject } from "./field-checks.ts";
import type { KindRules } from "./kind-rules.ts";
import { formatErrors, validateObjectMeta, validateObjectMetaUpdate } from "./object-meta.ts";
import { checkDns1035Label, checkDnsSubdomain, inclusiveRange, checkPathSegment, type StringFormatCheck } from "./name-formats.ts";

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
