import type { ProfileKind } from "../api/index.ts";
import type { ProfileOutline } from "../../view/index.ts";

/** Selects profiles by name, of one kind or of both. */
export type ProfileFilter = { readonly kind?: ProfileKind; readonly name: string };

/** Tells whether a filter selects a profile; no filter selects all. */
export function matchesProfile({ kind, name }: ProfileOutline, choice: ProfileFilter | undefined): boolean {
  return choice === undefined || (choice.name === name && (choice.kind ?? kind) === kind);
}

export function profileFilterText({ kind, name }: ProfileFilter): string {
  return kind === undefined ? name : `${kind}/${name}`;
}
