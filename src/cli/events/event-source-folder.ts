import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { scriptDefectPath, validateScripts, type TrialCase, type ScriptDefect, type ExpectedMatch } from "../../sveltos/evaluate/index.ts";
import { problemPosition } from "../../sveltos/lint/index.ts";
import { failureMessageOf, readEventSource, type EventSource } from "../../sveltos/api/index.ts";
import { Fault, lineFor, type Problem } from "../../core/fault/index.ts";
import { readTextFile } from "../../core/file/index.ts";
import { keyOf, refOf, titleOf } from "../../core/object/index.ts";
import { positionText, readManifests, type LocatedManifest } from "../../lang/yaml/index.ts";

const sourceFile = "eventsource.yaml";
const files: readonly { readonly name: string; readonly expected: ExpectedMatch }[] = [
  { name: "matching.yaml", expected: "matching" },
  { name: "non-matching.yaml", expected: "different" },
];

/** An object of a folder, with its position in a file. */
type LocatedCandidate = TrialCase & { readonly at: string };

/** An EventSource and the objects to evaluate it on, or the problems in their files. */
export type EventSourceFolder = {
  readonly path: string;
  readonly source: EventSource | undefined;
  readonly candidates: readonly LocatedCandidate[];
  readonly problems: readonly Problem[];
};

/** Reads every folder at or below `root` that has an eventsource.yaml, in the order of their paths. */
export async function readEventSourceFolders(root: string): Promise<readonly EventSourceFolder[]> {
  const found = await foldersBelow(root);
  return Promise.all(found.map(readEventSourceFolder));
}

async function foldersBelow(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { withFileTypes: true, recursive: true }).catch((error: unknown) => {
    throw new Fault(`read ${root}`, error, { final: true });
  });
  return entries
    .filter((entry) => entry.isFile() && entry.name === sourceFile)
    .map(({ parentPath }) => parentPath)
    .toSorted();
}

async function readEventSourceFolder(path: string): Promise<EventSourceFolder> {
  const { source, problems } = await readEventSourceFile(join(path, sourceFile));
  const read = await Promise.all(files.map(({ name, expected }) => readCandidates(join(path, name), expected)));
  const candidates = read.flatMap((file) => file.candidates);
  const all = [...problems, ...read.flatMap((file) => file.problems)];
  if (source !== undefined && source.aggregatedSelection !== "") all.push(...duplicateProblems(candidates));
  if (all.length === 0 && candidates.length === 0)
    all.push({ at: path, message: `holds no objects to try ${sourceFile} on; expected ${files.map(({ name }) => name).join(" or ")}` });
  return { path, source, candidates, problems: all };
}

/** Reads the EventSource of a file, with the positions of its problems. */
export async function readEventSourceFile(file: string): Promise<{ source: EventSource | undefined; problems: readonly Problem[] }> {
  const { manifests, problems } = readManifests(await readTextFile(file), file);
  const [manifest, second] = manifests;
  if (problems.length > 0) return { source: undefined, problems };
  if (manifest === undefined) return { source: undefined, problems: [{ at: file, message: "is empty; expected an EventSource" }] };
  if (second !== undefined)
    return {
      source: undefined,
      problems: [{ at: positionText(second.at), message: "a second object begins here; expected one EventSource" }],
    };
  return readManifest(manifest);
}

function readManifest(manifest: LocatedManifest): { source: EventSource | undefined; problems: readonly Problem[] } {
  const { object, at, positionOf } = manifest;
  if (object.kind !== "EventSource" || !object.apiVersion.startsWith("lib.projectsveltos.io/"))
    return {
      source: undefined,
      problems: [{ at: positionText(at), message: `${object.apiVersion} ${object.kind}; expected an EventSource` }],
    };
  const reading = readEventSource(object);
  if (reading.state === "read" && reading.refused.length === 0)
    return { source: reading.value, problems: validateScripts(reading.value).map((defect) => defectProblem(defect, manifest)) };
  if (reading.state === "read")
    return { source: undefined, problems: [{ at: positionText(at), message: failureMessageOf(reading) ?? "" }] };
  const problems = reading.problems.map((problem) => ({
    at: positionText(positionOf(problem.at)),
    message: `${problem.at}: ${problem.message}`,
  }));
  return { source: undefined, problems };
}

function defectProblem(defect: ScriptDefect, manifest: LocatedManifest): Problem {
  const problem = { at: scriptDefectPath(defect, manifest.object), message: defect.reason };
  return { at: problemPosition(problem, manifest), message: lineFor(problem) };
}

async function readCandidates(
  file: string,
  expected: ExpectedMatch,
): Promise<{ candidates: LocatedCandidate[]; problems: readonly Problem[] }> {
  const text = await readTextFile(file).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw new Fault(`read ${file}`, error, { final: true });
  });
  const { manifests, problems } = readManifests(text, file);
  return { candidates: manifests.map(({ object, at }) => ({ object, expected, at: positionText(at) })), problems };
}

/** With aggregatedSelection all files are one cluster, so no object may occur twice. */
function duplicateProblems(candidates: readonly LocatedCandidate[]): Problem[] {
  const places = new Map<string, string>();
  return candidates.flatMap(({ object, at }) => {
    const ref = refOf(object);
    const before = places.get(keyOf(ref));
    places.set(keyOf(ref), before ?? at);
    if (before === undefined) return [];
    return [{ at, message: `${titleOf(ref)} is also at ${before}; with aggregatedSelection all files are one cluster` }];
  });
}
