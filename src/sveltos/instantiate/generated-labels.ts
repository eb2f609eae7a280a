import { createHash } from "node:crypto";
import {
  generatorLabels,
  instantiatedLabels,
  originLabels,
  sveltosNamespace,
  triggerLabels,
  type ClusterId,
  type EventOrigin,
} from "../api/index.ts";
import { labelValueProblems, type KubeObject } from "../../core/object/index.ts";
import type { EventKeys } from "./event-tracker.ts";

export type LabelMap = Readonly<Record<string, string>>;

/** Names a ConfigMap or Secret. */
export type ContentName = { readonly namespace: string; readonly name: string };

const prefix = "eventtrigger.lib.projectsveltos.io/";
const sourceLabel = `${prefix}eventreportname`;
/** The labels that distinguish the ConfigMaps and Secrets of one event. The first two are on profiles as well. */
const contentLabels = [`${prefix}refname`, `${prefix}refnamespace`, `${prefix}fromgenerator`];

/**
 * The origin of a generated object. `kind` is set only if two matching objects have the same namespace and name, which
 * Sveltos' labels do not distinguish.
 */
export type Origin = EventOrigin & { readonly kind?: string };

export function profileLabels(origin: Origin): LabelMap {
  return labelled(originLabels(origin), origin);
}

export function instantiatedContentLabels(origin: Origin, template: ContentName): LabelMap {
  return labelled(instantiatedLabels(origin, template), origin);
}

export function generatedContentLabels(origin: Origin, template: ContentName): LabelMap {
  return labelled(generatorLabels(origin, template), origin);
}

function labelled(labels: LabelMap, { kind }: Origin): LabelMap {
  return valid(kind === undefined ? labels : { ...labels, [`${prefix}resourcekind`]: kind });
}

/** Replaces names that no label value can hold: they are shortened and end in a hash. */
function valid(labels: LabelMap): LabelMap {
  return Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, labelValueFor(value)]));
}

function labelValueFor(text: string): string {
  if (labelValueProblems(text).length === 0) return text;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 10);
  return `${text
    .replaceAll(/[^A-Za-z0-9_.-]/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 52)}-${hash}`.replace(/^-+/, "");
}

/** The objects that one trigger has generated for one cluster. */
export function generatedFor(trigger: string, cluster: ClusterId, objects: readonly KubeObject[]): readonly KubeObject[] {
  const required = Object.entries(valid(triggerLabels(trigger, cluster)));
  return objects.filter((object) => isGeneratedFor(object, required));
}

function isGeneratedFor(object: KubeObject, required: readonly (readonly [string, string])[]): boolean {
  return isGeneratedKind(object) && required.every(([key, value]) => object.metadata.labels?.[key] === value);
}

/** ConfigMaps and Secrets are generated in one namespace only: a copy in another one belongs to the user. */
function isGeneratedKind({ kind, metadata }: KubeObject): boolean {
  return kind === "ClusterProfile" || ((kind === "ConfigMap" || kind === "Secret") && metadata.namespace === sveltosNamespace);
}

/** A key of the event that an object was generated for, from its labels. It does not depend on the EventSource. */
export const eventKey = keyedBy((key) => key !== sourceLabel && !contentLabels.includes(key));

/** As `eventKey`, with the template of the object. */
export const contentKey = keyedBy((key) => key !== sourceLabel);

/** A key of the name of the matching object alone: several with one name are told apart by their kinds, and belong together. */
const nameKey = keyedBy((key) => key === `${prefix}resourcename` || key === `${prefix}resourcenamespace`);

/** The events of one trigger in one cluster by the names of their matching objects. */
export function eventKeysFor(trigger: string, cluster: ClusterId): EventKeys {
  const required = Object.entries(valid(triggerLabels(trigger, cluster)));
  return {
    ofMatch: ({ namespace, name }) =>
      nameKey(profileLabels({ trigger, eventSource: "", cluster, resource: { name, ...(namespace !== "" && { namespace }) } })),
    ofObject: (object) => (isGeneratedFor(object, required) ? nameKey(object.metadata.labels) : undefined),
  };
}

export function isOriginLabel(key: string): boolean {
  return key.startsWith(prefix);
}

/** Computes a key of the labels that count. The labels of an object are never mutated, so each key is cached. */
function keyedBy(counts: (key: string) => boolean): (labels?: LabelMap) => string {
  const known = new WeakMap<LabelMap, string>();
  return (labels = {}) => {
    const key = known.get(labels) ?? keyOfLabels(labels, counts);
    known.set(labels, key);
    return key;
  };
}

function keyOfLabels(labels: LabelMap, counts: (key: string) => boolean): string {
  return JSON.stringify(
    Object.entries(labels)
      .filter(([key]) => isOriginLabel(key) && counts(key))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
