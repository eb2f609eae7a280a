import { InvalidArgumentError } from "commander";
import type { ProfileKind } from "../../sveltos/api/index.ts";
import type { ProfileOutline } from "../../view/index.ts";

/** Selects profiles by name, of one kind or of both. */
export type ProfileFilter = { readonly kind?: ProfileKind; readonly name: string };

/** Parses `ClusterProfile/web`, `Profile/web`, or `web` for either. */
export function parseProfileFilter(text: string): ProfileFilter {
  const [first = "", second, ...rest] = text.split("/");
  const kind = kinds[first.toLowerCase()];
  if (second === undefined && first !== "") return { name: first };
  if (kind !== undefined && second !== undefined && second !== "" && rest.length === 0) return { kind, name: second };
  throw new InvalidArgumentError("expected ClusterProfile/NAME, Profile/NAME, or a name alone");
}

const kinds: Readonly<Record<string, ProfileKind>> = { clusterprofile: "ClusterProfile", profile: "Profile" };

/** Tells whether a filter selects a profile; no filter selects all. */
export function matchesProfile({ kind, name }: ProfileOutline, choice: ProfileFilter | undefined): boolean {
  return choice === undefined || (choice.name === name && (choice.kind ?? kind) === kind);
}

export function profileFilterText({ kind, name }: ProfileFilter): string {
  return kind === undefined ? name : `${kind}/${name}`;
}

/** The kinds that `show usage` lists. */
export const usageKinds = ["ClusterProfile", "Profile", "ConfigMap", "Secret"] as const;
