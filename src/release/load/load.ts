import { readdir, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { doing, Fault } from "../../core/fault/index.ts";
import { readTextFile } from "../../core/file/index.ts";
import { redactedUrl } from "../../http/index.ts";
import { joinManifests, readManifests, type LoadedManifests } from "../../lang/yaml/index.ts";

/** Reads sources that are not files. */
export type SourceReaders = {
  /** Reads all of standard input. */
  readonly stdin: (signal: AbortSignal) => Promise<string>;
  /** Its faults name the URL. */
  readonly fetch: (url: string, signal: AbortSignal) => Promise<string>;
};

const endings = new Set([".yaml", ".yml", ".json"]);

/**
 * Reads manifests from files, folders (recursively), http(s) URLs and standard input (`-`), in that order. What is
 * wrong with them is returned, so that it can be reported together with all else.
 */
export async function load(
  sources: readonly string[],
  readers: SourceReaders,
  { signal }: { signal: AbortSignal },
): Promise<LoadedManifests> {
  const read = await Promise.all(sources.map((source) => readSource(source, readers, signal)));
  return joinManifests(read.flat());
}

type Text = { readonly file: string; readonly text: string };

async function readSource(
  source: string,
  readers: SourceReaders,
  signal: AbortSignal,
): Promise<readonly ReturnType<typeof readManifests>[]> {
  const texts = await textsOf(source, readers, signal);
  const read = texts.map(({ file, text }) => readManifests(text, file));
  if (read.some(({ manifests, problems }) => manifests.length > 0 || problems.length > 0)) return read;
  // A source without any manifest is a mistake.
  const what = texts.length === 0 ? "no .yaml, .yml or .json file there" : "no Kubernetes object in it";
  const problem = { at: source === "-" ? stdinName : source, message: `${what}; expected at least one manifest` };
  return [{ manifests: [], problems: [problem], repaired: [], isPartial: true }];
}

const stdinName = "standard input";

async function textsOf(source: string, { stdin, fetch }: SourceReaders, signal: AbortSignal): Promise<readonly Text[]> {
  if (source === "-") return [{ file: stdinName, text: await doing(`read ${stdinName}`, () => stdin(signal)) }];
  if (/^https?:\/\//i.test(source)) return [{ file: redactedUrl(source), text: await fetch(source, signal) }];
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(source))
    throw new Fault(`read ${source}`, "expected a file, a folder, or an address that begins with http:// or https://", { final: true });
  return fromPath(source);
}

async function fromPath(path: string): Promise<readonly Text[]> {
  const files = await doing(`read ${path}`, () => filesBelow(path));
  return Promise.all(files.map(async (file) => ({ file, text: await doing(`read ${file}`, () => readTextFile(file)) })));
}

async function filesBelow(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "ENOENT" ? "there is no such file or folder" : error.message;
    throw new Fault(why, undefined, { final: true });
  });
  if (!found.isDirectory()) return [path];
  const entries = (await readdir(path, { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  // Chart templates are not YAML yet, so parsing them would only yield misleading errors.
  if (entries.some(({ name }) => name === "Chart.yaml"))
    throw new Fault("it is a chart: deploy it with sluice deploy RELEASE CHART, or print it with sluice render", undefined, {
      final: true,
    });
  const below = entries
    .filter((entry) => entry.isDirectory() || endings.has(extname(entry.name)))
    .map((entry) => (entry.isDirectory() ? filesBelow(join(path, entry.name)) : Promise.resolve([join(path, entry.name)])));
  return (await Promise.all(below)).flat();
}
