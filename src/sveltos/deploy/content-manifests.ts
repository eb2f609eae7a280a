import type { Problem } from "../../core/fault/index.ts";
import {
  readDocuments,
  readManifests,
  receivedManifests,
  sentManifests,
  type LocatedManifest,
  type SentManifest,
} from "../../lang/yaml/index.ts";

/** The manifests of a text, and what is wrong with others. */
export type ContentManifests = { readonly manifests: readonly LocatedManifest[]; readonly problems: readonly Problem[] };

/** The same as data, which can be cloned. */
export type SentContent = { readonly manifests: readonly SentManifest[]; readonly problems: readonly Problem[] };

/** More than anybody reads in a status. */
const maxSentProblems = 100;

/** Reads manifests. A document that is a list of texts contains manifests in each of them. */
export function contentManifests(text: string, at: string): ContentManifests {
  const { documents } = readDocuments(text, at);
  if (!documents.some(({ value }) => isTexts(value))) return readManifests(text, at);
  const texts = documents.flatMap(({ value }) => (isTexts(value) ? value : []));
  const read = texts.map((each, index) => readManifests(each, `${at}[${index}]`));
  return { manifests: read.flatMap(({ manifests }) => manifests), problems: read.flatMap(({ problems }) => problems) };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string");
}

export function sentContent({ manifests, problems }: ContentManifests, at: string): SentContent {
  const left = problems.length - maxSentProblems;
  if (left <= 0) return { manifests: sentManifests(manifests), problems };
  return { manifests: [], problems: [...problems.slice(0, maxSentProblems), { at, message: `${left} more problems of this kind` }] };
}

export function receivedContent({ manifests, problems }: SentContent): ContentManifests {
  return { manifests: receivedManifests(manifests), problems };
}
