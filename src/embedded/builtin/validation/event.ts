import { fieldsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { invalid, required, type FieldError } from "../../field-error.ts";
import { has, text } from "./check.ts";
import type { KindRules } from "./kind.ts";
import { checked } from "./meta.ts";
import { dnsSubdomain, qualifiedName } from "./names.ts";

// Models pkg/apis/core/validation/events.go for the core group, whose events are taken nearly as they come

function place(event: KubeObject): readonly FieldError[] {
  const { namespace = "" } = event.metadata;
  const about = text(fieldsAt(event, "involvedObject"), "namespace");
  const error = invalid("involvedObject.namespace", about, "does not match event.namespace");
  if (has(event, "eventTime")) return about === "" && namespace !== "default" && namespace !== "kube-system" ? [error] : [];
  const fits = about === "" ? namespace === "" || namespace === "default" : about === namespace;
  return fits ? [] : [error];
}

function bounded(event: Fields, name: string, most: number): readonly FieldError[] {
  return text(event, name).length > most ? [invalid(name, "", `can have at most ${most} characters`)] : [];
}

/** An event of the newer kind says who reports what. */
function reporter(event: KubeObject): readonly FieldError[] {
  if (!has(event, "eventTime")) return [];
  const name = text(event, "reportingComponent");
  return [
    ...(name === "" ? [required("reportingComponent")] : []),
    ...checked(qualifiedName, "reportingComponent", name),
    ...["reportingInstance", "action", "reason"].flatMap((field) =>
      text(event, field) === "" ? [required(field)] : bounded(event, field, 128),
    ),
    ...bounded(event, "message", 1024),
  ];
}

function event(object: KubeObject): readonly FieldError[] {
  return [...place(object), ...reporter(object), ...checked(dnsSubdomain, "namespace", object.metadata.namespace ?? "")];
}

export const eventRules: KindRules = { create: event, update: event };
