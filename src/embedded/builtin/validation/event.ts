import { fieldsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { fieldInvalid, fieldRequired, type FieldError } from "../../field-error.ts";
import { hasField, stringField } from "./field-checks.ts";
import type { KindRules } from "./kind-rules.ts";
import { formatErrors } from "./object-meta.ts";
import { checkDnsSubdomain, checkQualifiedName } from "./name-formats.ts";

// Models pkg/apis/core/validation/events.go for the core group, which validates little

function place(event: KubeObject): readonly FieldError[] {
  const { namespace = "" } = event.metadata;
  const about = stringField(fieldsAt(event, "involvedObject"), "namespace");
  const error = fieldInvalid("involvedObject.namespace", about, "does not match event.namespace");
  if (hasField(event, "eventTime")) return about === "" && namespace !== "default" && namespace !== "kube-system" ? [error] : [];
  const fits = about === "" ? namespace === "" || namespace === "default" : about === namespace;
  return fits ? [] : [error];
}

function bounded(event: Fields, name: string, most: number): readonly FieldError[] {
  return stringField(event, name).length > most ? [fieldInvalid(name, "", `can have at most ${most} characters`)] : [];
}

/** An events.k8s.io style event must have a reporter. */
function reporter(event: KubeObject): readonly FieldError[] {
  if (!hasField(event, "eventTime")) return [];
  const name = stringField(event, "reportingComponent");
  return [
    ...(name === "" ? [fieldRequired("reportingComponent")] : []),
    ...formatErrors(checkQualifiedName, "reportingComponent", name),
    ...["reportingInstance", "action", "reason"].flatMap((field) =>
      stringField(event, field) === "" ? [fieldRequired(field)] : bounded(event, field, 128),
    ),
    ...bounded(event, "message", 1024),
  ];
}

function event(object: KubeObject): readonly FieldError[] {
  return [...place(object), ...reporter(object), ...formatErrors(checkDnsSubdomain, "namespace", object.metadata.namespace ?? "")];
}

export const eventRules: KindRules = { create: event, update: event };
