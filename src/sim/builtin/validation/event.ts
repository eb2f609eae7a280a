import { fieldsAt, numberAt, stringAt, type Fields, type KubeObject } from "../../../object/index.ts";
import { invalid, required, type FieldError } from "../../field-error.ts";
import { has, text, within } from "./check.ts";
import type { KindRules } from "./kind.ts";
import { checked, coreMeta, coreMetaUpdate, unchanged } from "./meta.ts";
import { dnsSubdomain, qualifiedName } from "./names.ts";

// Models pkg/apis/core/validation/events.go. Both groups show the same events under different field names; errors speak of the server's own.

type Naming = { readonly object: string; readonly controller: string; readonly message: string; readonly printedController: string };

const core: Naming = {
  object: "involvedObject",
  controller: "reportingComponent",
  message: "message",
  printedController: "reportingComponent",
};
const events: Naming = {
  object: "regarding",
  controller: "reportingController",
  message: "note",
  printedController: "reportingController",
};

const wrongNamespace = "does not match event.namespace";

function place(event: KubeObject, naming: Naming): readonly FieldError[] {
  const { namespace = "" } = event.metadata;
  const about = text(fieldsAt(event, naming.object), "namespace");
  const error = invalid("involvedObject.namespace", about, wrongNamespace);
  if (has(event, "eventTime")) return about === "" && namespace !== "default" && namespace !== "kube-system" ? [error] : [];
  const fits = about === "" ? namespace === "" || namespace === "default" : about === namespace;
  return fits ? [] : [error];
}

function bounded(event: Fields, name: string, printed: string, most: number, isNeeded = true): readonly FieldError[] {
  const value = text(event, name);
  return [
    ...(isNeeded && value === "" ? [required(printed)] : []),
    ...(value.length > most ? [invalid(printed, "", `can have at most ${most} characters`)] : []),
  ];
}

function reporter(event: KubeObject, { controller, message, printedController }: Naming): readonly FieldError[] {
  if (!has(event, "eventTime")) return [];
  const name = text(event, controller);
  return [
    ...(name === "" ? [required(printedController)] : []),
    ...checked(qualifiedName, printedController, name),
    ...bounded(event, "reportingInstance", "reportingInstance", 128),
    ...bounded(event, "action", "action", 128),
    ...bounded(event, "reason", "reason", 128),
    ...bounded(event, message, "message", 1024, false),
  ];
}

function either(event: KubeObject, naming: Naming): readonly FieldError[] {
  return [...place(event, naming), ...reporter(event, naming), ...checked(dnsSubdomain, "namespace", event.metadata.namespace ?? "")];
}

/** Events of the core group are taken nearly as they come. */
export const coreEventRules: KindRules = {
  create: (event) => either(event, core),
  update: (event) => either(event, core),
};

function series(event: KubeObject): readonly FieldError[] {
  return within(event, "series", "", (fields) => [
    ...(numberAt(fields, "count", 0) < 2 ? [invalid("series.count", "", "should be at least 2")] : []),
    ...(has(fields, "lastObservedTime") ? [] : [required("series.lastObservedTime")]),
  ]);
}

function created(event: KubeObject): readonly FieldError[] {
  const type = stringAt(event, "type", "");
  const source = fieldsAt(event, "deprecatedSource");
  const stale = [
    ["deprecatedFirstTimestamp", "firstTimestamp"],
    ["deprecatedLastTimestamp", "lastTimestamp"],
  ] as const;
  const unset = (name: string): FieldError => invalid(name, "", "needs to be unset");
  return [
    ...series(event),
    ...(has(event, "eventTime") ? [] : [required("eventTime")]),
    ...(type === "Normal" || type === "Warning" ? [] : [invalid("type", "", `has invalid value: ${type}`)]),
    ...stale.filter(([field]) => has(event, field)).map(([, name]) => unset(name)),
    ...(numberAt(event, "deprecatedCount", 0) === 0 ? [] : [unset("count")]),
    ...(text(source, "component") === "" && text(source, "host") === "" ? [] : [unset("source")]),
  ];
}

const fixed = [
  ["regarding", "involvedObject"],
  ["reason", "reason"],
  ["note", "message"],
  ["deprecatedSource", "source"],
  ["deprecatedFirstTimestamp", "firstTimestamp"],
  ["deprecatedLastTimestamp", "lastTimestamp"],
  ["deprecatedCount", "count"],
  ["reason", "reason"],
  ["type", "type"],
  ["eventTime", "eventTime"],
  ["action", "action"],
  ["related", "related"],
  ["reportingController", "reportingController"],
  ["reportingInstance", "reportingInstance"],
] as const;

export const eventRules: KindRules = {
  create: (event) => [...either(event, events), ...coreMeta(event, { name: dnsSubdomain, namespaced: true }), ...created(event)],
  update: (event, live) => [
    ...either(event, events),
    ...coreMetaUpdate(event, live),
    ...(unchanged(event["series"], live["series"], "series").length > 0 ? series(event) : []),
    ...fixed.flatMap(([field, name]) => unchanged(event[field], live[field], name)),
  ],
};
