import { managerIdentityOf } from "./managed-fields-entry.ts";
import { elementPathText } from "./path-element.ts";
import type { FieldConflict } from "./updater.ts";
import { compareText } from "./value.ts";

/** One cause of a conflict, as in the Status: `conflict with "a" using v1` at `.data.a`. */
type ConflictCause = { readonly message: string; readonly field: string };

/** The report of a server on conflicts with other field managers. Models internal/conflict.go */
export type ConflictReport = {
  readonly message: string;
  /** Each has the reason FieldManagerConflict. */
  readonly causes: readonly ConflictCause[];
};

export function conflictReportOf(conflicts: readonly FieldConflict[]): ConflictReport {
  const sorted = [...conflicts].sort((a, b) => compareText(a.manager, b.manager));
  const causes = sorted.map(({ manager, path }) => ({ message: `conflict with ${managerText(manager)}`, field: elementPathText(path) }));
  return { message: messageOf(sorted), causes };
}

function messageOf(sorted: readonly FieldConflict[]): string {
  const [first] = sorted;
  if (first !== undefined && sorted.length === 1)
    return `Apply failed with 1 conflict: conflict with ${managerText(first.manager)}: ${elementPathText(first.path)}`;
  const lines: string[] = [];
  for (const [at, { manager, path }] of sorted.entries()) {
    if (sorted[at - 1]?.manager !== manager) lines.push(`conflicts with ${managerText(manager)}:`);
    lines.push(`- ${elementPathText(path)}`);
  }
  return `Apply failed with ${sorted.length} conflicts: ${lines.join("\n")}`;
}

function managerText(identifier: string): string {
  const { manager = "", operation, apiVersion = "", subresource = "" } = managerIdentityOf(identifier);
  const name = JSON.stringify(manager) + (subresource === "" ? "" : ` with subresource ${JSON.stringify(subresource)}`);
  return operation === "Update" ? `${name} using ${apiVersion}` : name;
}
