import { contentHash } from "../api/index.ts";
import type { Problem } from "../../core/fault/index.ts";
import { equal, type KubeObject } from "../../core/object/index.ts";
import { generateContent } from "./instantiate-content.ts";
import { OccurrenceBuilder, type InstantiationContext } from "./occurrence-builder.ts";
import type { Occurrence } from "./occurrence.ts";
import { buildProfile } from "./build-profile.ts";
import { readProfileSpec } from "./read-profile-spec.ts";

/** What is to exist for one occurrence, ConfigMaps and Secrets before the profile; or why it cannot be made. */
export type OccurrenceResult =
  | { readonly state: "made"; readonly objects: readonly KubeObject[] }
  | { readonly state: "failed"; readonly problems: readonly Problem[] };

/**
 * On objects whose templates ask for the time or for chance: what they would be if both always had the same answers.
 * While that stays the same, so do they; otherwise each pass would make other passwords.
 */
const renderedFromAnnotation = "projectsveltos.io/rendered-from";

/** Makes all objects of an occurrence, or none. `existing` are those that were made before. */
export function instantiateOccurrence(
  context: InstantiationContext,
  occurrence: Occurrence,
  existing: readonly KubeObject[],
): OccurrenceResult {
  const builder = new OccurrenceBuilder(context, occurrence);
  const objects = objectsFor(builder);
  if (builder.problems.length > 0) return { state: "failed", problems: builder.problems };
  if (!builder.isNondeterministic) return { state: "made", objects };
  const repeated = objectsFor(new OccurrenceBuilder(context, occurrence, { repeatable: true }));
  return { state: "made", objects: objects.map((object, index) => withStableContent(object, repeated[index] ?? object, existing)) };
}

function objectsFor(builder: OccurrenceBuilder): readonly KubeObject[] {
  const { configMapGenerator, secretGenerator } = builder.context.trigger;
  for (const [index, generator] of configMapGenerator.entries())
    generateContent(`spec.configMapGenerator[${index}]`, "ConfigMap", generator, builder);
  for (const [index, generator] of secretGenerator.entries())
    generateContent(`spec.secretGenerator[${index}]`, "Secret", generator, builder);
  const profile = buildProfile(builder);
  if (builder.problems.length === 0) builder.problems.push(...profileProblems(profile));
  return [...builder.contents, profile];
}

/** What templates made of the fields may be no profile any more, an empty name of a chart for one. */
function profileProblems(profile: KubeObject): readonly Problem[] {
  const reading = readProfileSpec(profile);
  return reading.state === "invalid" ? reading.problems : [];
}

/** The object with the content that it already has, where all that is new about it is time or chance. */
function withStableContent(object: KubeObject, repeated: KubeObject, existing: readonly KubeObject[]): KubeObject {
  if (equal(object, repeated)) return object;
  const from = contentHash(repeated);
  const { metadata } = object;
  const marked = { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, [renderedFromAnnotation]: from } } };
  const there = existing.find(({ kind, metadata: { name } }) => kind === object.kind && name === metadata.name);
  if (there?.metadata.annotations?.[renderedFromAnnotation] !== from) return marked;
  return object.kind === "ClusterProfile" ? { ...marked, spec: there["spec"] } : { ...marked, data: there["data"] };
}
