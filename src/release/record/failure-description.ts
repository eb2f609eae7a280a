import { titleOf, type ObjectRef } from "../../core/object/index.ts";
import type { Revision } from "./revision.ts";

/** What failed in an operation. */
export type RecordedFailure = { readonly ref: ObjectRef; readonly because: string };

const words = { install: "Release", upgrade: "Upgrade", rollback: "Rollback", delete: "Deletion", test: "Test" } as const;
/** What parts failures, as Helm parts its errors. */
const separator = "; ";

/** What the record of a failed operation says, in Helm's manner: `Upgrade "web" failed: deployment/web: …; job/migrate: …`. */
export function failureDescription(operation: keyof typeof words, name: string, failures: readonly RecordedFailure[]): string {
  const texts = failures.map(({ ref, because }) => `${titleOf(ref)}: ${because}`);
  return `${words[operation]} ${JSON.stringify(name)} failed: ${texts.join(separator)}`;
}

/** Why this object failed, where the record of its revision says that it did. */
export function failureReasonIn({ state, description }: Pick<Revision, "state" | "description">, ref: ObjectRef): string | undefined {
  const [, failures = ""] = /^[A-Z][a-z]+ "[^"]*" failed: (.*)$/s.exec(description) ?? [];
  if (state !== "failed") return undefined;
  const title = `${titleOf(ref)}: `;
  return failures
    .split(nextFailure)
    .find((failure) => failure.startsWith(title))
    ?.slice(title.length);
}

/** A reason may have the separator in it: another failure begins with the title of its object. */
const nextFailure = /; (?=[a-z]+\/[\w.:-]+: )/;
