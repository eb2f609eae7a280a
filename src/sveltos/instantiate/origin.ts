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

export type LabelMap = Readonly<Record<string, string>>;

/** Names a ConfigMap or Secret. */
export type ContentName = { readonly namespace: string; readonly name: string };

const prefix = "eventtrigger.lib.projectsveltos.io/";
const sourceLabel = `${prefix}eventreportname`;
/** What tells the ConfigMaps and Secrets of one event apart; the first two are on profiles as well. */
const contentLabels = [`${prefix}refname`, `${prefix}refnamespace`, `${prefix}fromgenerator`];

/**
 * Where a generated object comes from. `kind` is set only where two matching objects have namespace and name in common:
 * Sveltos' labels do not tell such apart.
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

/** Names of objects may be longer than labels and have other characters in them: such end in a hash instead. */
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

/** What one trigger has generated for one cluster, of all that is handed in. */
export function generatedFor(trigger: string, cluster: ClusterId, objects: readonly KubeObject[]): readonly KubeObject[] {
  const wanted = Object.entries(valid(triggerLabels(trigger, cluster)));
  return objects.filter((object) => isGeneratedKind(object) && wanted.every(([key, value]) => object.metadata.labels?.[key] === value));
}

/** ConfigMaps and Secrets are generated in one namespace only: a copy that somebody made elsewhere is not ours. */
function isGeneratedKind({ kind, metadata }: KubeObject): boolean {
  return kind === "ClusterProfile" || ((kind === "ConfigMap" || kind === "Secret") && metadata.namespace === sveltosNamespace);
}

/** The labels that say which event an object was made for, as one text: same text, same event, whatever EventSource it was. */
export const eventKey = keyedBy((key) => key !== sourceLabel && !contentLabels.includes(key));

/** As `eventKey`, with the template that the object was made from. */
export const contentKey = keyedBy((key) => key !== sourceLabel);

export function isOriginLabel(key: string): boolean {
  return key.startsWith(prefix);
}

/** Labels that count, as one text. Those of an object never change, so each is put together once. */
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
