import { contentHash } from "../api/index.ts";
import type { Problem } from "../../core/fault/index.ts";
import { equal, type KubeObject } from "../../core/object/index.ts";
import { generate } from "./content.ts";
import { Drafting, type Setting } from "./drafting.ts";
import type { Occurrence } from "./occurrence.ts";
import { draftProfile } from "./profile.ts";
import { readSpec } from "./profile-spec.ts";

/** What is to exist for one occurrence, ConfigMaps and Secrets before the profile; or why it cannot be made. */
export type Draft =
  | { readonly state: "made"; readonly objects: readonly KubeObject[] }
  | { readonly state: "failed"; readonly problems: readonly Problem[] };

/**
 * On objects whose templates ask for the time or for chance: what they would be if both always had the same answers.
 * While that stays the same, so do they; otherwise each pass would make other passwords.
 */
const renderedFromAnnotation = "projectsveltos.io/rendered-from";

/** Makes all objects of an occurrence, or none. `existing` are those that were made before. */
export function draft(setting: Setting, occurrence: Occurrence, existing: readonly KubeObject[]): Draft {
  const drafting = new Drafting(setting, occurrence);
  const objects = objectsFor(drafting);
  if (drafting.problems.length > 0) return { state: "failed", problems: drafting.problems };
  if (!drafting.drawn) return { state: "made", objects };
  const repeated = objectsFor(new Drafting(setting, occurrence, { repeatable: true }));
  return { state: "made", objects: objects.map((object, index) => settled(object, repeated[index] ?? object, existing)) };
}

function objectsFor(drafting: Drafting): readonly KubeObject[] {
  const { configMapGenerator, secretGenerator } = drafting.setting.trigger;
  for (const [index, generator] of configMapGenerator.entries())
    generate(`spec.configMapGenerator[${index}]`, "ConfigMap", generator, drafting);
  for (const [index, generator] of secretGenerator.entries()) generate(`spec.secretGenerator[${index}]`, "Secret", generator, drafting);
  const profile = draftProfile(drafting);
  if (drafting.problems.length === 0) drafting.problems.push(...objectionsTo(profile));
  return [...drafting.contents, profile];
}

/** What templates made of the fields may be no profile any more, an empty name of a chart for one. */
function objectionsTo(profile: KubeObject): readonly Problem[] {
  const reading = readSpec(profile);
  return reading.state === "invalid" ? reading.problems : [];
}

/** The object with the content that it already has, where all that is new about it is time or chance. */
function settled(object: KubeObject, repeated: KubeObject, existing: readonly KubeObject[]): KubeObject {
  if (equal(object, repeated)) return object;
  const from = contentHash(repeated);
  const { metadata } = object;
  const marked = { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, [renderedFromAnnotation]: from } } };
  const there = existing.find(({ kind, metadata: { name } }) => kind === object.kind && name === metadata.name);
  if (there?.metadata.annotations?.[renderedFromAnnotation] !== from) return marked;
  return object.kind === "ClusterProfile" ? { ...marked, spec: there["spec"] } : { ...marked, data: there["data"] };
}
