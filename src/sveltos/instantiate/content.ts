import { isUtf8 } from "node:buffer";
import { instantiatedAnnotations, isInstantiated, secretContentType, sveltosNamespace, type Generator } from "../api/index.ts";
import { mapAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import type { Drafting, Reference } from "./drafting.ts";
import { labelsOfGenerated, labelsOfInstantiated, type Labels } from "./origin.ts";

type ContentKind = "ConfigMap" | "Secret";
export type ContentReference = Reference & { readonly kind: ContentKind };

/** What a profile refers to for what a trigger refers to: the object itself, or one made of it for the event. */
export function settledReference(
  at: string,
  reference: ContentReference,
  drafting: Drafting,
  options: { readonly missing: "error" | "left-out" | "kept" },
): ContentReference | undefined {
  // A generator's output may be referred to before it is there, and is not rendered a second time.
  if (isGenerated(reference, drafting)) return reference;
  const found = drafting.setting.find(reference);
  if (found === undefined) return withoutTemplate(at, reference, drafting, options.missing);
  if (options.missing !== "kept" && !hasContentType(at, found, drafting)) return undefined;
  if (!isInstantiated(drafting.setting.trigger.generation, found.metadata.annotations)) return reference;
  return hasContentType(at, found, drafting) ? instantiated(reference, found, drafting) : undefined;
}

function isGenerated(reference: ContentReference, drafting: Drafting): boolean {
  return reference.namespace === sveltosNamespace && drafting.isMade(reference);
}

function withoutTemplate(
  at: string,
  reference: ContentReference,
  { problems }: Drafting,
  missing: "error" | "left-out" | "kept",
): ContentReference | undefined {
  if (missing === "kept") return reference;
  if (missing === "error") problems.push({ at, message: missingMessage(reference) });
  return undefined;
}

function missingMessage({ kind, namespace, name }: Reference): string {
  return `referenced ${kind} ${namespace}/${name} does not exist`;
}

function instantiated({ kind, namespace, name }: ContentReference, found: KubeObject, drafting: Drafting): ContentReference {
  const { origin } = drafting.occurrence;
  const labels = labelsOfInstantiated(origin, { namespace, name });
  drafting.template = { namespace, name };
  const made = drafting.setting.names.content(kind, labels);
  drafting.add(contentOf(found, made, labels, drafting));
  return { kind, namespace: sveltosNamespace, name: made };
}

/** What a generator makes: always rendered, under the name that its user has chosen. */
export function generate(at: string, kind: ContentKind, generator: Generator, drafting: Drafting): void {
  const namespace = drafting.namespace(`${at}.namespace`, generator.namespace);
  const name = drafting.name(`${at}.name`, generator.name);
  const made = drafting.name(`${at}.nameFormat`, generator.nameFormat);
  if (name === "" || made === "") return;
  const output: ContentReference = { kind, namespace: sveltosNamespace, name: made };
  drafting.claim(`${at}.nameFormat`, output);
  const found = drafting.setting.find({ kind, namespace, name });
  if (found === undefined) {
    if (!generator.optional) drafting.problems.push({ at, message: missingMessage({ kind, namespace, name }) });
    return;
  }
  if (drafting.isMade(output)) drafting.problems.push({ at: `${at}.nameFormat`, message: `two generators make ${kind} ${made}` });
  if (!hasContentType(at, found, drafting)) return;
  drafting.add(contentOf(found, made, labelsOfGenerated(drafting.occurrence.origin, { namespace, name }), drafting));
}

function hasContentType(at: string, object: KubeObject, { problems }: Drafting): boolean {
  const type = stringAt(object, "type", "");
  if (object.kind !== "Secret" || type === secretContentType) return true;
  const { namespace, name } = object.metadata;
  problems.push({ at, message: `Secret ${namespace}/${name} has type ${JSON.stringify(type)}, expected ${secretContentType}` });
  return false;
}

function contentOf(template: KubeObject, name: string, labels: Labels, drafting: Drafting): KubeObject {
  const annotations = instantiatedAnnotations(drafting.setting.trigger.generation, template.metadata.annotations);
  return {
    apiVersion: "v1",
    kind: template.kind,
    metadata: {
      name,
      namespace: sveltosNamespace,
      labels,
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    ...(template.kind === "Secret" && { type: secretContentType }),
    data: renderedData(template, drafting),
  };
}

/** Each key is a text of its own, so quotes in templates and in values are texts like any other. */
function renderedData(template: KubeObject, drafting: Drafting): Labels {
  const { kind, metadata } = template;
  const data = Object.entries(mapAt(template, "data")).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const place = `${kind} ${metadata.namespace}/${metadata.name}`;
  return Object.fromEntries(
    data.map(([key, value]) => {
      const at = `${place}, ${key}`;
      return [key, kind === "Secret" ? renderedSecret(at, value, drafting) : drafting.text(at, value)] as const;
    }),
  );
}

/** Bytes that are no text are no template either. */
function renderedSecret(at: string, base64: string, drafting: Drafting): string {
  const bytes = Buffer.from(base64, "base64");
  return isUtf8(bytes) ? Buffer.from(drafting.text(at, bytes.toString("utf8")), "utf8").toString("base64") : base64;
}
