import { isUtf8 } from "node:buffer";
import { instantiatedAnnotations, isInstantiated, secretContentType, sveltosNamespace, type Generator } from "../api/index.ts";
import { mapAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import { tenantLabelsOf } from "../tenant/index.ts";
import type { OccurrenceBuilder, HubReference } from "./occurrence-builder.ts";
import { generatedContentLabels, instantiatedContentLabels, type LabelMap } from "./generated-labels.ts";

type ContentKind = "ConfigMap" | "Secret";
type ContentReference = HubReference & { readonly kind: ContentKind };

/** Resolves a reference of the trigger: to the object itself, or to the one instantiated from it for the event. */
export function resolveContentReference(
  at: string,
  reference: ContentReference,
  builder: OccurrenceBuilder,
  options: { readonly missing: "error" | "left-out" | "kept" },
): ContentReference | undefined {
  // The output of a generator may not exist yet, and is not rendered again.
  if (isGenerated(reference, builder)) return reference;
  const found = builder.context.find(reference);
  if (found === undefined) return missingReference(at, reference, builder, options.missing);
  if (options.missing !== "kept" && !hasContentType(at, found, builder)) return undefined;
  if (!isInstantiated(builder.context.trigger.apiGeneration, found.metadata.annotations)) return reference;
  return hasContentType(at, found, builder) ? instantiated(reference, found, builder) : undefined;
}

function isGenerated(reference: ContentReference, builder: OccurrenceBuilder): boolean {
  return reference.namespace === sveltosNamespace && builder.hasBuilt(reference);
}

function missingReference(
  at: string,
  reference: ContentReference,
  { problems }: OccurrenceBuilder,
  missing: "error" | "left-out" | "kept",
): ContentReference | undefined {
  if (missing === "kept") return reference;
  if (missing === "error") problems.push({ at, message: missingMessage(reference) });
  return undefined;
}

function missingMessage({ kind, namespace, name }: HubReference): string {
  return `referenced ${kind} ${namespace}/${name} does not exist`;
}

function instantiated({ kind, namespace, name }: ContentReference, found: KubeObject, builder: OccurrenceBuilder): ContentReference {
  const { origin } = builder.occurrence;
  const labels = instantiatedContentLabels(origin, { namespace, name });
  builder.template = { namespace, name };
  const contentName = builder.context.names.content(kind, labels);
  builder.add(instantiateContent(found, contentName, labels, builder));
  return { kind, namespace: sveltosNamespace, name: contentName };
}

/** Instantiates the template of a generator under the name that the user has chosen. */
export function generateContent(at: string, kind: ContentKind, generator: Generator, builder: OccurrenceBuilder): void {
  const namespace = builder.renderNamespace(`${at}.namespace`, generator.namespace);
  const name = builder.renderName(`${at}.name`, generator.name);
  const contentName = builder.renderName(`${at}.nameFormat`, generator.nameFormat);
  if (name === "" || contentName === "") return;
  const output: ContentReference = { kind, namespace: sveltosNamespace, name: contentName };
  builder.reserveName(`${at}.nameFormat`, output);
  const found = builder.context.find({ kind, namespace, name });
  if (found === undefined) {
    if (!generator.optional) builder.problems.push({ at, message: missingMessage({ kind, namespace, name }) });
    return;
  }
  if (builder.hasBuilt(output)) builder.problems.push({ at: `${at}.nameFormat`, message: `two generators make ${kind} ${contentName}` });
  if (!hasContentType(at, found, builder)) return;
  builder.add(instantiateContent(found, contentName, generatedContentLabels(builder.occurrence.origin, { namespace, name }), builder));
}

function hasContentType(at: string, object: KubeObject, { problems }: OccurrenceBuilder): boolean {
  const type = stringAt(object, "type", "");
  if (object.kind !== "Secret" || type === secretContentType) return true;
  const { namespace, name } = object.metadata;
  problems.push({ at, message: `Secret ${namespace}/${name} has type ${JSON.stringify(type)}, expected ${secretContentType}` });
  return false;
}

function instantiateContent(template: KubeObject, name: string, labels: LabelMap, builder: OccurrenceBuilder): KubeObject {
  const annotations = instantiatedAnnotations(builder.context.trigger.apiGeneration, template.metadata.annotations);
  return {
    apiVersion: "v1",
    kind: template.kind,
    metadata: {
      name,
      namespace: sveltosNamespace,
      labels: { ...labels, ...tenantLabelsOf(builder.context.trigger.metadata.labels) },
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    ...(template.kind === "Secret" && { type: secretContentType }),
    data: renderedData(template, builder),
  };
}

/** Renders each key by itself, so that quotes in one value cannot break another. */
function renderedData(template: KubeObject, builder: OccurrenceBuilder): LabelMap {
  const { kind, metadata } = template;
  const data = Object.entries(mapAt(template, "data")).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const place = `${kind} ${metadata.namespace}/${metadata.name}`;
  return Object.fromEntries(
    data.map(([key, value]) => {
      const at = `${place}, ${key}`;
      return [key, kind === "Secret" ? renderedSecret(at, value, builder) : builder.renderText(at, value)] as const;
    }),
  );
}

/** Binary values are not rendered. */
function renderedSecret(at: string, base64: string, builder: OccurrenceBuilder): string {
  const bytes = Buffer.from(base64, "base64");
  return isUtf8(bytes) ? Buffer.from(builder.renderText(at, bytes.toString("utf8")), "utf8").toString("base64") : base64;
}
