import type { Revision } from "../record/index.ts";

/** How an operation ended by the record of its revision; undefined when it has not, as far as that tells. */
export function endInRecord(revision: Revision | undefined): "deployed" | "failed" | undefined {
  switch (revision?.state) {
    case "deployed":
    case "superseded":
      return "deployed";
    case "failed":
      return "failed";
    default:
      return undefined;
  }
}

/** Why a revision has no recording. Whoever supersedes a revision writes its record too, so that no longer tells who made it. */
export function whyUnrecorded(asked: number | undefined, revisions: readonly Revision[]): string {
  const numbers = revisions.map(({ revision }) => revision);
  const revision = asked === undefined ? revisions.at(-1) : revisions.find((each) => each.revision === asked);
  if (revision === undefined) return `the release has no such revision: it has ${numbers.join(", ")}`;
  if (revision.state !== "superseded" && revision.stored?.writer === "helm") return "it has no recording, as Helm made it and keeps none";
  return "it has no recording: Helm made it, which keeps none, or it was deployed with --no-recording";
}
