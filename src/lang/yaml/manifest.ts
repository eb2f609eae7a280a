import { inFileOrder, type Problem } from "../../core/fault/index.ts";
import { isExactInteger, isFields, ownField, pathText, titleOf, type Fields, type KubeObject, type Path } from "../../core/object/index.ts";
import { positionText, readDocuments, type YamlDocument, type Position, type YamlReadOptions } from "./document.ts";
import { repairedManifest } from "./repaired-manifest.ts";

/** A manifest with its position in a file. */
export type LocatedManifest = {
  readonly object: KubeObject;
  readonly at: Position;
  /** The position of a path of this object. With a line: of that line of the text there, where it is written line by line. */
  readonly positionOf: (path: string, line?: number) => Position;
};

/** What is wrong with manifests, and what is known of them all the same. */
export type InvalidManifests = {
  readonly problems: readonly Problem[];
  /** The objects that have problems and a name, repaired so that they can be checked beside the others. They are never applied. */
  readonly repaired: readonly LocatedManifest[];
  /** Whether there are others, of which nothing is known. */
  readonly isPartial: boolean;
};

/** The manifests of a text, with what is wrong with others. */
export type ReadManifests = InvalidManifests & { readonly manifests: readonly LocatedManifest[] };

/** An object of a document: the document itself, or an item of a List. */
type Candidate = { readonly document: YamlDocument; readonly value: unknown; readonly path: Path };

/**
 * Reads the manifests of a file. Lists are expanded. An object without apiVersion, kind or name, or with a label or annotation
 * that is not a string, is a problem. All problems are returned in file order; those of a generated text name the object.
 */
export function readManifests(text: string, file: string, options: YamlReadOptions = {}): ReadManifests {
  const { documents, problems } = readDocuments(text, file, options);
  const manifests: LocatedManifest[] = [];
  const repaired: LocatedManifest[] = [];
  let isPartial = problems.length > 0;
  for (const candidate of documents.flatMap((document) => unfold({ document, value: document.value, path: [] }))) {
    const found = problemsOf(candidate);
    problems.push(...found);
    const object = found.length === 0 ? (candidate.value as KubeObject) : repairedManifest(candidate.value);
    if (object === undefined) isPartial = true;
    else (found.length === 0 ? manifests : repaired).push(manifestOf(candidate, object));
  }
  return { manifests, problems: inFileOrder(problems), repaired, isPartial };
}

function unfold(candidate: Candidate): Candidate[] {
  const { value, path } = candidate;
  if (value === null) return [];
  if (!isList(value)) return [candidate];
  return value.items.flatMap((item, index) => unfold({ ...candidate, value: itemOf(value, item), path: [...path, "items", index] }));
}

/**
 * An item of a typed list, such as a SecretList, has the list's version and kind when it has neither. Models
 * k8s.io/apimachinery pkg/apis/meta/v1/unstructured/helpers.go decodeToList
 */
function itemOf({ apiVersion, kind }: ManifestList, item: unknown): unknown {
  if (!isFields(item) || kind === "List" || hasText(item, "kind") || hasText(item, "apiVersion")) return item;
  return { ...item, ...(typeof apiVersion === "string" ? { apiVersion } : {}), kind: kind.slice(0, -"List".length) };
}

function hasText(fields: Fields, name: string): boolean {
  const found = ownField(fields, name);
  return found !== undefined && found !== null && found !== "";
}

type ManifestList = { readonly apiVersion?: unknown; readonly kind: string; readonly items: readonly unknown[] };

function isList(value: unknown): value is ManifestList {
  if (!isFields(value) || typeof value["kind"] !== "string" || !value["kind"].endsWith("List")) return false;
  return Array.isArray(value["items"]) && !(isFields(value["metadata"]) && Object.hasOwn(value["metadata"], "name"));
}

function manifestOf({ document, path }: Candidate, object: KubeObject): LocatedManifest {
  return {
    object,
    at: path.length === 0 ? document.at : document.positionOf(path),
    positionOf: (inner, line) => document.positionOf(path.length === 0 ? inner : `${pathText(path)}.${inner}`, line),
  };
}

function problemsOf(candidate: Candidate): Problem[] {
  const { value } = candidate;
  if (!isFields(value))
    return [problem(candidate, [], `${described(value)}; expected a Kubernetes object with apiVersion, kind and metadata`)];
  const metadata = ownField(value, "metadata");
  return [
    ...requiredText(candidate, value, "apiVersion", "for example v1 or apps/v1"),
    ...requiredText(candidate, value, "kind", "for example ConfigMap"),
    ...(isFields(metadata)
      ? metadataProblems(candidate, metadata)
      : [problem(candidate, ["metadata"], "metadata is missing; expected metadata.name")]),
  ];
}

function requiredText(candidate: Candidate, value: Fields, name: string, example: string): Problem[] {
  const found = ownField(value, name);
  if (typeof found === "string" && found !== "") return [];
  if (found === undefined) return [problem(candidate, [], `${name} is missing; expected it beside the other top-level fields, ${example}`)];
  return [problem(candidate, [name], `${name} is ${described(found)}; expected a string, ${example}`)];
}

function metadataProblems(candidate: Candidate, metadata: Fields): Problem[] {
  const problems = [...stringProblems(candidate, metadata, "labels"), ...stringProblems(candidate, metadata, "annotations")];
  for (const name of ["name", "generateName", "namespace"]) problems.push(...textProblems(candidate, metadata, name));
  if (!Object.hasOwn(metadata, "name") && !Object.hasOwn(metadata, "generateName"))
    problems.unshift(problem(candidate, ["metadata"], "metadata.name is missing; expected a name, or generateName"));
  return problems;
}

function textProblems(candidate: Candidate, metadata: Fields, name: string): Problem[] {
  const found = ownField(metadata, name);
  if (found === undefined || (typeof found === "string" && found !== "")) return [];
  // Kubernetes also takes an empty namespace for the default one.
  if (name === "namespace" && (found === "" || found === null)) return [];
  return [problem(candidate, ["metadata", name], `metadata.${name} is ${described(found)}; expected a string${advice(found)}`)];
}

/** Labels and annotations are maps of strings. A number or boolean there nearly always lacks its quotes. */
function stringProblems(candidate: Candidate, metadata: Fields, name: string): Problem[] {
  const map = ownField(metadata, name);
  if (map === undefined || map === null) return [];
  if (!isFields(map))
    return [problem(candidate, ["metadata", name], `metadata.${name} is ${described(map)}; expected an object of strings`)];
  return Object.entries(map)
    .filter(([, value]) => typeof value !== "string")
    .map(([key, value]) => {
      const path = ["metadata", name, key];
      return problem(candidate, path, `${pathText(path)} is ${described(value)}; expected a string${advice(value)}`);
    });
}

function advice(value: unknown): string {
  return isScalar(value) ? ": quote it" : "";
}

function described(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (isExactInteger(value)) return `the number ${value.rawJSON}`;
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string"
    ? value === ""
      ? "empty"
      : `the string ${JSON.stringify(value)}`
    : `the ${typeof value} ${String(value)}`;
}

function isScalar(value: unknown): boolean {
  return typeof value === "number" || typeof value === "boolean" || isExactInteger(value);
}

function problem({ document, value, path }: Candidate, inner: Path, message: string): Problem {
  const position = document.positionOf([...path, ...inner]);
  return { at: positionText(position), message: position.line === undefined ? `${titleIn(value)}${message}` : message };
}

/** `configmap/a: `, as far as it is known. */
function titleIn(value: unknown): string {
  const kind = isFields(value) ? ownField(value, "kind") : undefined;
  if (!isFields(value) || typeof kind !== "string" || kind === "") return "";
  const metadata = ownField(value, "metadata");
  const name = isFields(metadata) ? ownField(metadata, "name") : undefined;
  return `${titleOf({ kind, name: typeof name === "string" ? name : "" })}: `;
}
