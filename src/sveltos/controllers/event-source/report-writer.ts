import { firstPart, partName } from "../../api/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import type { KubeObject, ObjectRef } from "../../../core/object/index.ts";
import {
  buildReportPart,
  bytesOf,
  findParts,
  isSameReport,
  refsOf,
  reportNameFor,
  ReportPacker,
  type ReportContent,
  type ReportSubject,
} from "../../report/index.ts";
import { deleteReports, writeReport } from "./write-report.ts";

type ReportWriterOptions = {
  /** Where the report stands. */
  readonly cluster: Cluster;
  readonly subject: ReportSubject;
  /** Called with what was written; returns it as it is when the cache has it. */
  readonly afterWrite: (written: KubeObject, signal: AbortSignal) => Promise<KubeObject>;
};

/**
 * Writes the report on one EventSource in one cluster, part by part. Most changes of objects do not change the result, which
 * is seen here without building a report; a change of one match builds and writes one part.
 *
 * Parts are written before the report that names them, and deleted after it. A reader takes what the report names, so it sees
 * every match at any time, also when the writer is killed between two writes.
 */
export class ReportWriter {
  readonly #options: ReportWriterOptions;
  readonly #name: string;
  #packer: ReportPacker | undefined;
  #content: ReportContent = { matches: [], collectResources: false };
  /** Parts that are not written as they are packed. */
  readonly #dirty = new Set<number>();
  /** The resourceVersions of what was written last, by name. */
  readonly #versions = new Map<string, string | undefined>();
  /** The further parts that the report was last written with. */
  #others = "";

  constructor(options: ReportWriterOptions) {
    this.#options = options;
    this.#name = reportNameFor(options.subject);
  }

  /** Writes what differs from `existing`, the report and its parts. After a conflict the change that caused it requeues the key. */
  async write(content: ReportContent, existing: readonly KubeObject[], signal: AbortSignal): Promise<void> {
    if (this.#isWritten(content, existing)) return;
    const found = new Map(existing.map((object) => [object.metadata.name, object]));
    const packer = this.#pack(content, found);
    const others = packer.parts.slice(1);
    if (others.join() !== this.#others) this.#dirty.add(firstPart);
    const isDone = await Promise.all(others.map((part) => this.#writePart(packer, part, found, signal)));
    if (!isDone.every(Boolean) || !(await this.#writePart(packer, firstPart, found, signal))) return;
    this.#others = others.join();
    await this.#deleteOthers(new Set(packer.parts.map((part) => partName(this.#name, part))), existing, signal);
  }

  /** Matches are compared by identity: an object that was not evaluated again gives the same match. */
  #isWritten({ matches, collectResources }: ReportContent, existing: readonly KubeObject[]): boolean {
    const last = this.#content;
    return (
      this.#versions.has(this.#name) &&
      this.#dirty.size === 0 &&
      this.#versions.size === existing.length &&
      existing.every(({ metadata }) => this.#versions.get(metadata.name) === metadata.resourceVersion) &&
      last.collectResources === collectResources &&
      last.matches.length === matches.length &&
      last.matches.every((match, index) => match === matches[index])
    );
  }

  #pack(content: ReportContent, found: ReadonlyMap<string, KubeObject>): ReportPacker {
    const { matches, collectResources } = content;
    if (this.#packer === undefined || this.#content.collectResources !== collectResources)
      this.#packer = new ReportPacker(membersOf(found, this.#name), (match) => bytesOf(match, collectResources));
    this.#content = content;
    for (const part of this.#packer.pack(matches)) this.#dirty.add(part);
    return this.#packer;
  }

  /** False on a conflict. */
  async #writePart(packer: ReportPacker, part: number, found: ReadonlyMap<string, KubeObject>, signal: AbortSignal): Promise<boolean> {
    const name = partName(this.#name, part);
    const existing = found.get(name);
    if (!this.#dirty.has(part) && this.#versions.get(name) === existing?.metadata.resourceVersion && existing !== undefined) return true;
    const { cluster, subject, afterWrite } = this.#options;
    const { collectResources } = this.#content;
    const others = packer.parts.slice(1);
    const wanted = buildReportPart(subject, { part, others, matches: packer.matchesIn(part), collectResources });
    let current = existing;
    if (!isSameReport(existing, wanted)) {
      const written = await writeReport(cluster, existing, wanted, signal);
      if (written === undefined) return false;
      current = await afterWrite(written, signal);
    }
    this.#versions.set(name, current?.metadata.resourceVersion);
    this.#dirty.delete(part);
    return true;
  }

  async #deleteOthers(names: ReadonlySet<string>, existing: readonly KubeObject[], signal: AbortSignal): Promise<void> {
    for (const name of this.#versions.keys()) if (!names.has(name)) this.#versions.delete(name);
    for (const part of this.#dirty) if (!names.has(partName(this.#name, part))) this.#dirty.delete(part);
    const stale = existing.filter(({ metadata }) => !names.has(metadata.name));
    await deleteReports(this.#options.cluster, stale, signal);
  }
}

/** What each part of an existing report holds. */
function membersOf(found: ReadonlyMap<string, KubeObject>, name: string): readonly (readonly [number, readonly ObjectRef[]])[] {
  const report = found.get(name);
  if (report === undefined) return [];
  return findParts(report, (part) => found.get(part)).parts.map(([part, object]) => [part, refsOf(object)] as const);
}
