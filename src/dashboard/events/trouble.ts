import type { statusOccurrences } from "../../sveltos/inspect/index.ts";

/** What a status says. */
type StatusOccurrence = ReturnType<typeof statusOccurrences>[number];

/** Why something is not as it should be. */
export type Trouble = { readonly state: "failed" | "waiting"; readonly message: string };

/** The first failure that statuses tell of, else the first thing that is worth knowing. */
export function troubleIn(occurrences: readonly StatusOccurrence[]): Trouble | undefined {
  const failing = occurrences.find(({ state }) => state === "failing");
  if (failing !== undefined) return { state: "failed", message: failing.message };
  const [noted] = occurrences;
  return noted === undefined ? undefined : { state: "waiting", message: noted.message };
}
