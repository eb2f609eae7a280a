import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isFields } from "../../../src/core/object/index.ts";
import { readManifests } from "../../../src/lang/yaml/index.ts";

/** The managed clusters that a scenario begins with, each with its labels. */
export type ScenarioClusters = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Reads the SveltosClusters of a scenario from `setup.yaml`. Comments say what does not apply to all scenarios: `name: c2 #
 * only in scenarios 01-06` and `env: fv # scenario 05: env=production`.
 */
export function readScenarioClusters(scenario: string, folder: string): ScenarioClusters {
  const path = join(folder, "setup.yaml");
  if (!existsSync(path)) return { c1: { env: "fv" } };
  return parseScenarioClusters(readFileSync(path, "utf8"), Number.parseInt(scenario, 10));
}

export function parseScenarioClusters(setup: string, scenario: number): ScenarioClusters {
  const documents = setup.split(/^---$/m).filter((document) => applies(document, scenario));
  const { manifests } = readManifests(documents.map((document) => adapted(document, scenario)).join("\n---\n"), "setup.yaml");
  const clusters = manifests.filter(({ object }) => object.kind === "SveltosCluster");
  return Object.fromEntries(clusters.map(({ object: { metadata } }) => [metadata.name, isFields(metadata.labels) ? metadata.labels : {}]));
}

function applies(document: string, scenario: number): boolean {
  const [, list] = /# only in scenarios? ([\d, -]+)/.exec(document) ?? [];
  return list === undefined || list.split(",").some((range) => isIn(range, scenario));
}

function isIn(range: string, scenario: number): boolean {
  const [first = Number.NaN, last = first] = range.split("-").map((text) => Number.parseInt(text, 10));
  return scenario >= first && scenario <= last;
}

/** Replaces a value by that of the scenario's comment. */
function adapted(document: string, scenario: number): string {
  return document.replaceAll(
    /^(\s*)(\S+): [^#\n]*# scenarios? ([\d, -]+): (\S+?)=(\S+)$/gm,
    (line, indent: string, key: string, list: string, other: string, value: string) =>
      list.split(",").some((range) => isIn(range, scenario)) ? `${indent}${other === "" ? key : other}: ${value}` : line,
  );
}
