import { contentHash } from "../api/index.ts";
import type { Problem } from "../../core/fault/index.ts";
import { equal, type KubeObject } from "../../core/object/index.ts";
import { generateContent } from "./instantiate-content.ts";
import { NamePending, OccurrenceBuilder, type InstantiationContext } from "./occurrence-builder.ts";
import type { Occurrence } from "./occurrence.ts";
import { buildProfile } from "./build-profile.ts";
import { readProfileSpec } from "./read-profile-spec.ts";

/** The desired objects of one occurrence, ConfigMaps and Secrets before the profile, or why there are none. */
export type OccurrenceResult =
  | { readonly state: "instantiated"; readonly objects: readonly KubeObject[] }
  | { readonly state: "failed"; readonly problems: readonly Problem[] }
  /** Texts are rendered elsewhere; the next pass knows them. */
  | { readonly state: "pending" };

/**
 * On objects whose templates read the clock or randomness: the hash of the object rendered with a fixed clock and fixed
 * randomness. While the hash stays the same, the object keeps its content; otherwise every pass would change passwords.
 */
const renderedFromAnnotation = "projectsveltos.io/rendered-from";

/** Builds all objects of an occurrence, or none. `existing` are the objects of earlier passes. */
export function instantiateOccurrence(
  context: InstantiationContext,
  occurrence: Occurrence,
  existing: readonly KubeObject[],
): OccurrenceResult {
  const builder = new OccurrenceBuilder(context, occurrence);
  const objects = objectsFor(builder);
  if (objects === undefined) return { state: "pending" };
  if (builder.problems.length > 0) return { state: "failed", problems: builder.problems };
  if (!builder.isNondeterministic) return { state: "instantiated", objects };
  const repeated = objectsFor(new OccurrenceBuilder(context, occurrence, { repeatable: true }));
  if (repeated === undefined) return { state: "pending" };
  return { state: "instantiated", objects: objects.map((object, index) => withStableContent(object, repeated[index] ?? object, existing)) };
}

/** Undefined while a text is pending. */
function objectsFor(builder: OccurrenceBuilder): readonly KubeObject[] | undefined {
  try {
    const objects = buildObjects(builder);
    return builder.isPending ? undefined : objects;
  } catch (error) {
    if (error instanceof NamePending) return undefined;
    throw error;
  }
}

function buildObjects(builder: OccurrenceBuilder): readonly KubeObject[] {
  const { configMapGenerator, secretGenerator } = builder.context.trigger;
  for (const [index, generator] of configMapGenerator.entries())
    generateContent(`spec.configMapGenerator[${index}]`, "ConfigMap", generator, builder);
  for (const [index, generator] of secretGenerator.entries())
    generateContent(`spec.secretGenerator[${index}]`, "Secret", generator, builder);
  const profile = buildProfile(builder);
  if (builder.problems.length === 0) builder.problems.push(...profileProblems(profile));
  return [...builder.contents, profile];
}

/** The rendered profile may be invalid, for example with an empty chart name. */
function profileProblems(profile: KubeObject): readonly Problem[] {
  const reading = readProfileSpec(profile);
  return reading.state === "invalid" ? reading.problems : [];
}

/** Keeps the content of the existing object if only the clock or randomness would change it. */
function withStableContent(object: KubeObject, repeated: KubeObject, existing: readonly KubeObject[]): KubeObject {
  if (equal(object, repeated)) return object;
  const from = contentHash(repeated);
  const { metadata } = object;
  const marked = { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, [renderedFromAnnotation]: from } } };
  const live = existing.find(({ kind, metadata: { name } }) => kind === object.kind && name === metadata.name);
  if (live?.metadata.annotations?.[renderedFromAnnotation] !== from) return marked;
  return object.kind === "ClusterProfile" ? { ...marked, spec: live["spec"] } : { ...marked, data: live["data"] };
}
