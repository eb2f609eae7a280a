import { LruCache } from "../core/cache/index.ts";
import { withinCost } from "../core/cost/index.ts";
import { Fault } from "../core/fault/index.ts";
import { compareGoStrings, fromBytes, GoMap, memorySizeOf } from "../lang/template/index.ts";
import { unpackArchive, type UnpackAllowance } from "./archive.ts";
import type { Chart, Lock, Metadata } from "./chart.ts";
import { maxChartBytes, type ChartFile } from "./chart-file.ts";
import { checkMetadata, InvalidMetadata, readLock, readMetadata, readRequirements } from "./metadata.ts";
import { readValues } from "./read-values.ts";
import { ignoreWarning, type Warn } from "./warning.ts";

/** Loads a packed chart with the charts that are packed inside it, which share what they may unpack to. */
export function loadArchive(archive: Uint8Array, warn: Warn = ignoreWarning): Chart {
  return withinCost({}, () => new Loader(warn).archive(archive, 0));
}

/**
 * Builds a chart from its files. Charts in `charts/` that `Chart.yaml` does not list are ordered by folder name,
 * because Helm does not define their order. Models helm pkg/chart/v2/loader LoadFiles
 */
export function loadChart(files: readonly ChartFile[], warn: Warn = ignoreWarning): Chart {
  return withinCost({}, () => new Loader(warn).chart(files, 0));
}

/** Charts deeper inside of others are refused: an archive can contain itself. */
const deepest = 64;

/** Loads one chart with all in it, under one limit of size. */
class Loader {
  readonly #warn: Warn;
  readonly #allowance: UnpackAllowance = { bytes: maxChartBytes };

  constructor(warn: Warn) {
    this.#warn = warn;
  }

  archive(archive: Uint8Array, depth: number): Chart {
    return this.chart(unpackArchive(archive, this.#allowance), depth);
  }

  chart(files: readonly ChartFile[], depth: number): Chart {
    if (depth > deepest) throw new Fault(`charts are nested more than ${deepest} deep`, undefined, { final: true });
    const draft = sortFiles(files, this.#warn);
    const { metadata } = draft;
    checkMetadata(metadata);
    const dependencies = [...draft.subcharts]
      .toSorted(([one], [other]) => compareGoStrings(one, other))
      .filter(([name]) => !/^[_.]/.test(name))
      .map(([name, below]) => this.#subchart(name, below, metadata.name, depth + 1));
    return {
      metadata,
      values: draft.values,
      templates: draft.templates,
      files: draft.files,
      raw: files,
      dependencies,
      ...(draft.lock === undefined ? {} : { lock: draft.lock }),
      ...(draft.schema === undefined ? {} : { schema: draft.schema }),
    };
  }

  #subchart(folder: string, files: readonly ChartFile[], parent: string, depth: number): Chart {
    const [first] = files;
    if (folder.endsWith(".tgz") && first !== undefined && first.name !== folder)
      throw new Fault(`error unpacking subchart tar in ${parent}: expected ${folder}, got ${first.name}`, undefined, { final: true });
    try {
      if (folder.endsWith(".tgz") && first !== undefined) return this.archive(first.data, depth);
      // A lone file in charts/ is not a chart. Helm ignores it.
      const below = files.filter(({ name }) => name.includes("/"));
      return this.chart(
        below.map(({ name, data }) => ({ name: name.slice(folder.length + 1), data })),
        depth,
      );
    } catch (error) {
      throw new Fault(`error unpacking subchart ${folder} in ${parent}`, error, { final: true });
    }
  }
}

type Draft = {
  metadata: Metadata;
  lock?: Lock;
  values: GoMap;
  schema?: Uint8Array;
  readonly templates: ChartFile[];
  readonly files: ChartFile[];
  /** Keyed by the first part of the path below `charts/`. */
  readonly subcharts: Map<string, ChartFile[]>;
};

/** Sorts files into the parts of a chart. */
function sortFiles(files: readonly ChartFile[], warn: Warn): Draft {
  const draft: Draft = { metadata: metadataIn(files), values: new GoMap(), templates: [], files: [], subcharts: new Map() };
  for (const file of files) {
    const { name, data } = file;
    if (name === "Chart.yaml") continue;
    if (name.startsWith("templates/")) draft.templates.push(file);
    else if (name.startsWith("charts/") && !name.endsWith(".prov")) addToSubchart(draft, file);
    else if (name === "values.yaml") draft.values = reading(name, () => defaultsIn(fromBytes(data)));
    else if (name === "values.schema.json") draft.schema = data;
    else if (name === "Chart.lock") draft.lock = reading(name, () => readLock(fromBytes(data)));
    else if (name === "requirements.yaml" || name === "requirements.lock") addRequirements(draft, file, warn);
    else draft.files.push(file);
  }
  return draft;
}

/** Defaults parsed before. Charts are loaded often, and their defaults are immutable. */
const knownDefaults = new LruCache<string, GoMap>({ maxWeight: 2 ** 25, weightOf: (text, map) => text.length + memorySizeOf(map) });

function defaultsIn(text: string): GoMap {
  return knownDefaults.getOrCreate(text, readValues);
}

function metadataIn(files: readonly ChartFile[]): Metadata {
  const file = files.findLast(({ name }) => name === "Chart.yaml");
  if (file !== undefined) return reading(file.name, () => readMetadata(fromBytes(file.data)));
  const isOld = files.some(({ name }) => name === "requirements.yaml" || name === "requirements.lock");
  throw new Fault(isOld ? "validation: chart.metadata.apiVersion is required" : "Chart.yaml file is missing", undefined, { final: true });
}

const requirementsWarnings: Readonly<Record<string, string>> = {
  "requirements.yaml":
    'Warning: Dependencies are handled in Chart.yaml since apiVersion "v2". We recommend migrating dependencies to Chart.yaml.',
  "requirements.lock": 'Warning: Dependency locking is handled in Chart.lock since apiVersion "v2". We recommend migrating to Chart.lock.',
};

/** Dependencies in `requirements.yaml`, as apiVersion v1 has them. Charts of a later version get a warning. */
function addRequirements(draft: Draft, file: ChartFile, warn: Warn): void {
  const { metadata, files } = draft;
  const { name, data } = file;
  if (name === "requirements.lock") draft.lock = reading(name, () => readLock(fromBytes(data)));
  if (metadata.apiVersion !== "v1") warn(requirementsWarnings[name] ?? "");
  if (name === "requirements.yaml")
    draft.metadata = { ...metadata, dependencies: reading(name, () => readRequirements(fromBytes(data))) ?? metadata.dependencies };
  if (metadata.apiVersion === "v1") files.push(file);
}

function addToSubchart({ subcharts }: Draft, { name, data }: ChartFile): void {
  const path = name.slice("charts/".length);
  const [folder = ""] = path.split("/", 1);
  const known = subcharts.get(folder) ?? [];
  known.push({ name: path, data });
  subcharts.set(folder, known);
}

function reading<Read>(file: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (error instanceof InvalidMetadata) throw error;
    throw new Fault(`cannot load ${file}`, error, { final: true });
  }
}
