import type { Match } from "../../evaluate/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";

/** What a report is built from. */
export type ReportContent = { readonly matches: readonly Match[]; readonly collectResources: boolean };

/**
 * The content of the last report on each EventSource, and its resourceVersion. Most changes of objects do not change the
 * result, which is seen here without building a report.
 */
export class LastReported {
  readonly #reports = new Map<string, ReportContent & { readonly resourceVersion: string | undefined }>();

  /**
   * Whether the existing report has this content. Matches are compared by identity: an object that was not evaluated again
   * gives the same match.
   */
  isReported(eventSource: string, { matches, collectResources }: ReportContent, existing: KubeObject | undefined): boolean {
    const last = this.#reports.get(eventSource);
    return (
      last !== undefined &&
      last.resourceVersion === existing?.metadata.resourceVersion &&
      last.collectResources === collectResources &&
      last.matches.length === matches.length &&
      last.matches.every((match, index) => match === matches[index])
    );
  }

  record(eventSource: string, { matches, collectResources }: ReportContent, { metadata: { resourceVersion } }: KubeObject): void {
    this.#reports.set(eventSource, { matches, collectResources, resourceVersion });
  }

  clear(): void {
    this.#reports.clear();
  }
}
