import { fieldsAt, numberAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { fieldInvalid, fieldRequired, type FieldError } from "../../field-error.ts";
import { isSemanticDeepEqual } from "../field-edits.ts";
import { hasField, stringField } from "./field-checks.ts";
import { asGo, type GoType } from "./go-value.ts";
import type { KindRules } from "./kind-rules.ts";
import { formatErrors, validateCoreObjectMeta, validateCoreObjectMetaUpdate } from "./object-meta.ts";
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

/** An events.k8s.io style event must have a reporter, whose field has another name in each group. */
function reporter(event: KubeObject, field: string): readonly FieldError[] {
  if (!hasField(event, "eventTime")) return [];
  const name = stringField(event, "reportingComponent");
  return [
    ...(name === "" ? [fieldRequired(field)] : []),
    ...formatErrors(checkQualifiedName, field, name),
    ...["reportingInstance", "action", "reason"].flatMap((each) =>
      stringField(event, each) === "" ? [fieldRequired(each)] : bounded(event, each, 128),
    ),
    ...bounded(event, "message", 1024),
  ];
}

function legacy(object: KubeObject, reporterField = "reportingComponent"): readonly FieldError[] {
  const { namespace = "" } = object.metadata;
  return [...place(object), ...reporter(object, reporterField), ...formatErrors(checkDnsSubdomain, "namespace", namespace)];
}

export const eventRules: KindRules = { create: (object) => legacy(object), update: (object) => legacy(object) };

// Models the rest of pkg/apis/core/validation/events.go: the stricter rules of events.k8s.io/v1. The event is in the
// version of the core group, whose field names errors use.

const needsUnset = (field: string): FieldError => fieldInvalid(field, "", "needs to be unset");

function series(event: KubeObject): readonly FieldError[] {
  if (!hasField(event, "series")) return [];
  return [
    ...(numberAt(event, "series.count", 0) < 2 ? [fieldInvalid("series.count", "", "should be at least 2")] : []),
    ...(hasField(fieldsAt(event, "series"), "lastObservedTime") ? [] : [fieldRequired("series.lastObservedTime")]),
  ];
}

function strict(event: KubeObject): readonly FieldError[] {
  const type = stringField(event, "type");
  const source = fieldsAt(event, "source");
  const hasSource = stringField(source, "component") !== "" || stringField(source, "host") !== "";
  return [
    ...legacy(event, "reportingController"),
    ...validateCoreObjectMeta(event, { name: checkDnsSubdomain, namespaced: true }),
    ...series(event),
    ...(hasField(event, "eventTime") ? [] : [fieldRequired("eventTime")]),
    ...(type === "Normal" || type === "Warning" ? [] : [fieldInvalid("type", "", `has invalid value: ${type}`)]),
    ...["firstTimestamp", "lastTimestamp"].filter((field) => hasField(event, field)).map(needsUnset),
    ...(numberAt(event, "count", 0) === 0 ? [] : [needsUnset("count")]),
    ...(hasSource ? [needsUnset("source")] : []),
  ];
}

/** Fields that never change, in the order of the server, with their internal types where these are no strings. */
const fixedFields: readonly (readonly [field: string, type?: GoType | undefined, title?: string])[] = [
  ["involvedObject", "core.ObjectReference"],
  ["reason"],
  ["message"],
  ["source", "core.EventSource"],
  ["firstTimestamp"],
  ["lastTimestamp"],
  ["count"],
  ["reason"],
  ["type"],
  ["eventTime"],
  ["action"],
  ["related", "core.ObjectReference"],
  ["reportingComponent", undefined, "reportingController"],
  ["reportingInstance"],
];

function strictUpdate(event: KubeObject, live: KubeObject): readonly FieldError[] {
  const fixed = fixedFields.flatMap(([field, type, title = field]) => {
    const [next, last] = [event[field] ?? null, live[field] ?? null];
    const shown = type === undefined || next === null ? next : asGo(next, type);
    return isSemanticDeepEqual(next, last) ? [] : [fieldInvalid(title, shown, "field is immutable")];
  });
  return [
    ...legacy(event, "reportingController"),
    ...validateCoreObjectMetaUpdate(event, live),
    ...(isSemanticDeepEqual(event["series"], live["series"]) ? [] : series(event)),
    ...fixed,
  ];
}

export const eventOfItsGroupRules: KindRules = { create: strict, update: strictUpdate };
