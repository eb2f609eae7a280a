import { Fault } from "../core/fault/index.ts";
import { parseVersion } from "../lang/semver/index.ts";
import { quote } from "../lang/template/index.ts";
import { parseYaml, YamlFault } from "../lang/yaml/index.ts";
import type { Dependency, Lock, Maintainer, Metadata } from "./chart.ts";
import { Decoder } from "./decoder.ts";

/** Reads `Chart.yaml`. A missing apiVersion means v1. */
export function readMetadata(text: string): Metadata {
  const decoder = new Decoder("Metadata", yamlIn(text));
  return {
    name: sanitized(decoder.text("name")),
    home: sanitized(decoder.text("home")),
    sources: decoder.texts("sources").map(sanitized),
    version: decoder.text("version"),
    description: sanitized(decoder.text("description")),
    keywords: decoder.texts("keywords").map(sanitized),
    maintainers: (decoder.structs("maintainers", "Maintainer") ?? []).map(maintainer),
    icon: sanitized(decoder.text("icon")),
    apiVersion: decoder.text("apiVersion") || "v1",
    condition: sanitized(decoder.text("condition")),
    tags: sanitized(decoder.text("tags")),
    appVersion: sanitized(decoder.text("appVersion")),
    deprecated: decoder.flag("deprecated"),
    annotations: decoder.textMap("annotations"),
    kubeVersion: sanitized(decoder.text("kubeVersion")),
    dependencies: dependenciesIn(decoder),
    type: decoder.text("type"),
  };
}

/** Reads `requirements.yaml`, which lists the dependencies of an apiVersion v1 chart. */
export function readRequirements(text: string): readonly Dependency[] | undefined {
  return dependenciesIn(new Decoder("Metadata", yamlIn(text)));
}

export function readLock(text: string): Lock {
  const decoder = new Decoder("Lock", yamlIn(text));
  return { generated: decoder.text("generated"), digest: decoder.text("digest"), dependencies: dependenciesIn(decoder) ?? [] };
}

function yamlIn(text: string): unknown {
  try {
    return parseYaml(text);
  } catch (error) {
    if (error instanceof YamlFault) throw new Fault("error converting YAML to JSON", error, { final: true });
    throw error;
  }
}

function dependenciesIn(decoder: Decoder): readonly Dependency[] | undefined {
  return decoder.structs("dependencies", "Dependency")?.map(dependency);
}

function dependency(decoder: Decoder | null): Dependency {
  if (decoder === null) throw invalid("dependencies must not contain empty or null nodes");
  return {
    name: sanitized(decoder.text("name")),
    version: sanitized(decoder.text("version")),
    repository: sanitized(decoder.text("repository")),
    condition: sanitized(decoder.text("condition")),
    tags: decoder.texts("tags").map(sanitized),
    importValues: decoder.anything("import-values"),
    alias: decoder.text("alias"),
  };
}

function maintainer(decoder: Decoder | null): Maintainer {
  if (decoder === null) throw invalid("maintainers must not contain empty or null nodes");
  return { name: sanitized(decoder.text("name")), email: sanitized(decoder.text("email")), url: sanitized(decoder.text("url")) };
}

/** Refuses invalid metadata. Models helm pkg/chart/v2/metadata.go Validate */
export function checkMetadata({ name, version, type, dependencies = [] }: Metadata): void {
  if (name === "") throw invalid("chart.metadata.name is required");
  if (name === "." || name === "..") throw invalid(`chart.metadata.name ${quote(name)} is not allowed`);
  if (name.includes("/")) throw invalid(`chart.metadata.name ${quote(name)} is invalid`);
  if (version === "") throw invalid("chart.metadata.version is required");
  if (!isVersion(version)) throw invalid(`chart.metadata.version ${quote(version)} is invalid`);
  if (!["", "application", "library"].includes(type)) throw invalid("chart.metadata.type must be application or library");
  const names = new Set<string>();
  for (const { name: own, alias } of dependencies) {
    if (!/^[a-zA-Z0-9_-]*$/.test(alias)) throw invalid(`dependency ${quote(own)} has disallowed characters in the alias`);
    const known = alias === "" ? own : alias;
    if (names.has(known)) throw invalid(`more than one dependency with name or alias ${quote(known)}`);
    names.add(known);
  }
}

function isVersion(text: string): boolean {
  try {
    parseVersion(text);
    return true;
  } catch {
    return false;
  }
}

/** Replaces any white space by a blank and drops what cannot be printed. */
function sanitized(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  return text.replaceAll(/\s/gu, " ").replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "");
}

/** Metadata that no chart may have. */
export class InvalidMetadata extends Fault {
  constructor(because: string) {
    super(`validation: ${because}`, undefined, { final: true });
    this.name = "InvalidMetadata";
  }
}

function invalid(because: string): Fault {
  return new InvalidMetadata(because);
}
