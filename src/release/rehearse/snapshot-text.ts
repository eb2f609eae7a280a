import { Fault } from "../../core/fault/index.ts";
import { isFields, isKubeObject, stringAt, type Fields } from "../../core/object/index.ts";
import { readJson } from "../../kube/index.ts";
import type { Snapshot } from "./snapshot.ts";

const format = "sluice.dev/snapshot";
const version = 1;
const again = "take it again with sluice rehearse --save-snapshot";

/** The file content. Conceal the snapshot first. */
export function snapshotText(snapshot: Snapshot): string {
  return `${JSON.stringify({ format, version, ...snapshot }, undefined, 1)}\n`;
}

/** Parses what `snapshotText` wrote and refuses everything else. */
export function parseSnapshot(text: string, file: string): Snapshot {
  const refused = (why: string) => new Fault(`use the snapshot ${file}`, `${why}: ${again}`, { final: true });
  const { format: found, version: age, ...content } = fieldsIn(text) ?? {};
  if (fieldsIn(text) === undefined) throw refused("it is no JSON, or was cut short");
  if (found !== format) throw refused("it is not a snapshot");
  if (age !== version) throw refused(`it is of version ${JSON.stringify(age)}, and this sluice reads version ${version}`);
  if (!isSnapshot(content)) throw refused("it does not hold a snapshot");
  return content;
}

function fieldsIn(text: string): Fields | undefined {
  try {
    const value = readJson(text);
    return isFields(value) ? value : {};
  } catch {
    return undefined; // Not JSON: the caller refuses it.
  }
}

function isSnapshot(content: Fields): content is Snapshot {
  const { namespaces = [], missingRights = [], objects, unseen, webhooks, evidence } = content;
  return (
    !Number.isNaN(Date.parse(stringAt(content, "takenAt", ""))) &&
    stringAt(content, "kubernetes") !== undefined &&
    isListOfTexts(namespaces) &&
    isListOfTexts(missingRights) &&
    Array.isArray(objects) &&
    objects.every(isKubeObject) &&
    Array.isArray(unseen) &&
    Array.isArray(webhooks) &&
    Array.isArray(evidence)
  );
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
