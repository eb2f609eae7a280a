import { nearestName, type Problem } from "../../core/fault/index.ts";
import { titleOf } from "../../core/object/index.ts";
import { positionText, type LocatedManifest } from "../../lang/yaml/index.ts";
import { dependsOnController, unsupportedDialectOf } from "./unsupported-dialects.ts";
import { helmDialect } from "./helm-dialect.ts";
import { kotsDialect } from "./kots-dialect.ts";
import { mergeParsed, type Dialect, type AnnotationReader, type ParsedAnnotations } from "./annotation-reader.ts";
import { sluiceDialect } from "./sluice-dialect.ts";
import { werfDialect } from "./werf-dialect.ts";

const dialects: readonly Dialect[] = [helmDialect, werfDialect, kotsDialect, sluiceDialect];

/** Collects problems and warnings. */
export type OrderFindings = { readonly problems: Problem[]; readonly warnings: Problem[] };

/** Parses the annotations of a manifest. */
export function readAnnotations(manifest: LocatedManifest, findings: OrderFindings): ParsedAnnotations {
  const { object } = manifest;
  const annotations = object.metadata.annotations ?? {};
  let parsed: ParsedAnnotations = {};
  for (const [key, value] of Object.entries(annotations)) {
    const found = readerOf(key);
    if (typeof found === "string") findings.warnings.push(annotationProblem(manifest, key, found));
    if (typeof found !== "object") continue;
    const refuse = (expected: string): ParsedAnnotations => {
      findings.problems.push(annotationProblem(manifest, key, `is ${JSON.stringify(value)}; expected ${expected}`));
      return {};
    };
    const warn = (taken: string) => void findings.warnings.push(annotationProblem(manifest, key, `is ${JSON.stringify(value)}, ${taken}`));
    parsed = mergeParsed(parsed, found.read({ key, value, part: found.part, object, annotations, refuse, warn }));
  }
  const reader = dependsOnController(object);
  if (reader !== undefined)
    findings.warnings.push({
      at: positionText(manifest.positionOf("spec.dependsOn")),
      message: `${titleOf(object.metadata.name === undefined ? { kind: object.kind, name: "" } : { kind: object.kind, name: object.metadata.name })}: spec.dependsOn is left to ${reader}, and orders nothing here`,
    });
  return parsed;
}

/** The reader of a key, a warning text, or undefined for a key of no dialect. */
function readerOf(key: string): { read: AnnotationReader; part: string } | string | undefined {
  const elsewhere = unsupportedDialectOf(key);
  if (elsewhere !== undefined)
    return `is an annotation of ${elsewhere}, which is not supported: it has no effect; say the same with werf.io/weight or kots.io/creation-phase`;
  const dialect = dialects.find(({ owns }) => owns(key));
  if (dialect === undefined || dialect.silent?.includes(key) === true) return undefined;
  if (Object.hasOwn(dialect.keys, key)) return { read: dialect.keys[key]!, part: "" };
  for (const [pattern, read] of dialect.patterns ?? []) {
    const match = pattern.exec(key);
    if (match !== null) return { read, part: match[1] ?? "" };
  }
  const nearest = nearestName(key, Object.keys(dialect.keys));
  return `is no annotation of ${dialect.name} and has no effect${nearest === undefined ? "" : `: did you mean ${nearest}?`}`;
}

/** A problem with one annotation: its position, its object and its key. */
export function annotationProblem(manifest: LocatedManifest, key: string, message: string): Problem {
  const { kind, metadata } = manifest.object;
  return {
    at: positionText(manifest.positionOf(`metadata.annotations[${JSON.stringify(key)}]`)),
    message: `${titleOf({ kind, name: metadata.name })}: ${key} ${message}`,
  };
}
