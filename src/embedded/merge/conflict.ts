import { identityOf } from "./entry.ts";
import { pathText } from "./path-element.ts";
import type { Conflict } from "./updater.ts";
import { compareText } from "./value.ts";

/** One cause of a refused apply, as the Status lists it: `conflict with "a" using v1` at `.data.a`. */
export type ConflictCause = { readonly message: string; readonly field: string };

/** How a server reports fields that somebody else manages. Models internal/conflict.go */
export type ConflictReport = {
  readonly message: string;
  /** Each has the reason FieldManagerConflict. */
  readonly causes: readonly ConflictCause[];
};

export function reportOf(conflicts: readonly Conflict[]): ConflictReport {
  const sorted = [...conflicts].sort((a, b) => compareText(a.manager, b.manager));
  const causes = sorted.map(({ manager, path }) => ({ message: `conflict with ${managerText(manager)}`, field: pathText(path) }));
  return { message: messageOf(sorted), causes };
}

function messageOf(sorted: readonly Conflict[]): string {
  const [first] = sorted;
  if (first !== undefined && sorted.length === 1)
    return `Apply failed with 1 conflict: conflict with ${managerText(first.manager)}: ${pathText(first.path)}`;
  const lines: string[] = [];
  for (const [at, { manager, path }] of sorted.entries()) {
    if (sorted[at - 1]?.manager !== manager) lines.push(`conflicts with ${managerText(manager)}:`);
    lines.push(`- ${pathText(path)}`);
  }
  return `Apply failed with ${sorted.length} conflicts: ${lines.join("\n")}`;
}

function managerText(identifier: string): string {
  const { manager = "", operation, apiVersion = "", subresource = "" } = identityOf(identifier);
  const name = JSON.stringify(manager) + (subresource === "" ? "" : ` with subresource ${JSON.stringify(subresource)}`);
  return operation === "Update" ? `${name} using ${apiVersion}` : name;
}
