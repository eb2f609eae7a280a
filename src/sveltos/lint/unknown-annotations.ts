import { nearestName, type Problem } from "../../core/fault/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import {
  deployedBySveltosAnnotation,
  driftIgnoreAnnotation,
  instantiateAnnotation,
  luaAnnotation,
  profilePausedAnnotation,
  subresourcesAnnotation,
  templateAnnotation,
} from "../api/index.ts";

const inDomain = /^([a-z0-9-]+\.)*projectsveltos\.io\//;

/** What users write. */
const known: readonly string[] = [
  deployedBySveltosAnnotation,
  driftIgnoreAnnotation,
  instantiateAnnotation,
  luaAnnotation,
  profilePausedAnnotation,
  subresourcesAnnotation,
  templateAnnotation,
  "sharding.projectsveltos.io/key",
];

/** What controllers write on objects that they make. */
const generated = /^projectsveltos\.io\/(hash|k8s-version|reason|rendered-from|(owner|reference|cluster|profile)-[a-z-]+)$/;

/** Sveltos' annotations that mean nothing to Sluice, such as misspelled ones: nothing else would say so. */
export function unknownAnnotations({ metadata }: KubeObject): readonly Problem[] {
  const names = Object.keys(metadata.annotations ?? {}).filter((name) => inDomain.test(name));
  return names
    .filter((name) => !known.includes(name) && !generated.test(name))
    .map((name) => {
      const meant = nearestName(name, known);
      const hint = meant === undefined ? "" : `; ${meant} is known`;
      return { at: `metadata.annotations[${JSON.stringify(name)}]`, message: `unknown to Sluice, and ignored${hint}` };
    });
}
