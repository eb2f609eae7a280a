import type { Revision } from "../record/index.ts";

/** What the record says of a revision that deploys the content of another one again. */
export function redeployDescription({ revision }: Pick<Revision, "revision">): string {
  return `Redeploy of ${revision}`;
}

/** Whether a revision deploys the content of another one again. */
export function isRedeploy({ description }: Pick<Revision, "description">): boolean {
  return /^Redeploy of \d+$/.test(description);
}
