import { titleOf, type ObjectRef } from "../../core/object/index.ts";
import type { Revision } from "./revision.ts";

/** What failed first in an operation. */
export type RecordedFailure = { readonly ref: ObjectRef; readonly because: string };

const words = { install: "Release", upgrade: "Upgrade", rollback: "Rollback", delete: "Deletion", test: "Test" } as const;

/** What the record of a failed operation says, in Helm's manner: `Upgrade "web" failed: deployment/web: …`. */
export function failureDescription(operation: keyof typeof words, name: string, failure: RecordedFailure | undefined): string {
  return `${words[operation]} ${JSON.stringify(name)} failed: ${failure === undefined ? "" : `${titleOf(failure.ref)}: ${failure.because}`}`;
}

/** Why this object failed, where the record of its revision says that it was the first one to fail. */
export function failureReasonIn({ state, description }: Pick<Revision, "state" | "description">, ref: ObjectRef): string | undefined {
  const [, failure = ""] = /^[A-Z][a-z]+ "[^"]*" failed: (.*)$/s.exec(description) ?? [];
  const title = `${titleOf(ref)}: `;
  return state === "failed" && failure.startsWith(title) ? failure.slice(title.length) : undefined;
}
