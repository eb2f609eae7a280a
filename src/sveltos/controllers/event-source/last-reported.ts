import type { Match } from "../../evaluate/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";

/** What a report is made of. */
export type ReportContent = { readonly matches: readonly Match[]; readonly collectResources: boolean };

/**
 * What was told last of each EventSource, and in which state of its report. Most changes of a cluster's objects make no
 * difference to an event; to see that takes no new report.
 */
export class LastReported {
  readonly #told = new Map<string, ReportContent & { readonly resourceVersion: string | undefined }>();

  /** The report that is there says so already. An object that was not judged again is the same match. */
  isReported(eventSource: string, { matches, collectResources }: ReportContent, existing: KubeObject | undefined): boolean {
    const told = this.#told.get(eventSource);
    return (
      told !== undefined &&
      told.resourceVersion === existing?.metadata.resourceVersion &&
      told.collectResources === collectResources &&
      told.matches.length === matches.length &&
      told.matches.every((match, index) => match === matches[index])
    );
  }

  record(eventSource: string, { matches, collectResources }: ReportContent, { metadata: { resourceVersion } }: KubeObject): void {
    this.#told.set(eventSource, { matches, collectResources, resourceVersion });
  }

  clear(): void {
    this.#told.clear();
  }
}
