import type { Problem } from "../../core/fault/index.ts";
import { titleOf } from "../../core/object/index.ts";
import { positionText, type Manifest } from "../../lang/yaml/index.ts";
import { dependsOnReader, dialectElsewhere } from "./elsewhere.ts";
import { helm } from "./helm.ts";
import { kots } from "./kots.ts";
import { joined, type Dialect, type Reader, type Said } from "./reading.ts";
import { sluice } from "./sluice.ts";
import { werf } from "./werf.ts";

const dialects: readonly Dialect[] = [helm, werf, kots, sluice];

/** Whoever looks at manifests tells what is wrong here. */
export type Findings = { readonly problems: Problem[]; readonly warnings: Problem[] };

/** Reads all that a manifest's annotations say about its place. */
export function readAnnotations(manifest: Manifest, findings: Findings): Said {
  const { object } = manifest;
  const annotations = object.metadata.annotations ?? {};
  let said: Said = {};
  for (const [key, value] of Object.entries(annotations)) {
    const found = readerOf(key);
    if (typeof found === "string") findings.warnings.push(noteOn(manifest, key, found));
    if (typeof found !== "object") continue;
    const refuse = (expected: string): Said => {
      findings.problems.push(noteOn(manifest, key, `is ${JSON.stringify(value)}; expected ${expected}`));
      return {};
    };
    said = joined(said, found.read({ key, value, part: found.part, object, annotations, refuse }));
  }
  const reader = dependsOnReader(object);
  if (reader !== undefined)
    findings.warnings.push({
      at: positionText(manifest.positionOf("spec.dependsOn")),
      message: `${titleOf(object.metadata.name === undefined ? { kind: object.kind, name: "" } : { kind: object.kind, name: object.metadata.name })}: spec.dependsOn is left to ${reader}, and orders nothing here`,
    });
  return said;
}

/** The reader of a key; a text when it deserves a warning; undefined when it is none of ours. */
function readerOf(key: string): { read: Reader; part: string } | string | undefined {
  const elsewhere = dialectElsewhere(key);
  if (elsewhere !== undefined)
    return `is an annotation of ${elsewhere}, which is not supported: it has no effect; say the same with werf.io/weight or kots.io/creation-phase`;
  const dialect = dialects.find(({ owns }) => owns(key));
  if (dialect === undefined || dialect.silent?.includes(key) === true) return undefined;
  if (Object.hasOwn(dialect.keys, key)) return { read: dialect.keys[key]!, part: "" };
  for (const [pattern, read] of dialect.patterns ?? []) {
    const match = pattern.exec(key);
    if (match !== null) return { read, part: match[1] ?? "" };
  }
  const nearest = nearestOf(key, Object.keys(dialect.keys));
  return `is no annotation of ${dialect.name} and has no effect${nearest === undefined ? "" : `: did you mean ${nearest}?`}`;
}

/** A problem or warning about one annotation: where it stands, whose it is, which it is. */
export function noteOn(manifest: Manifest, key: string, message: string): Problem {
  const { kind, metadata } = manifest.object;
  return {
    at: positionText(manifest.positionOf(`metadata.annotations[${JSON.stringify(key)}]`)),
    message: `${titleOf({ kind, name: metadata.name })}: ${key} ${message}`,
  };
}

/** The known key that takes the fewest changes to get to, if they are few. */
function nearestOf(key: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, changes: changesBetween(key, candidate) }))
    .toSorted((a, b) => a.changes - b.changes);
  return best !== undefined && best.changes <= 3 ? best.candidate : undefined;
}

/** How many letters must be put in, left out or exchanged to make one text of the other. */
function changesBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
