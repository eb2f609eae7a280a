import { InvalidArgumentError } from "commander";
import type { ProfileKind } from "../../sveltos/api/index.ts";
import type { ProfileFilter } from "../../sveltos/inspect/index.ts";

/** Parses `ClusterProfile/web`, `Profile/web`, or `web` for either. */
export function parseProfileFilter(text: string): ProfileFilter {
  const [first = "", second, ...rest] = text.split("/");
  const kind = kinds[first.toLowerCase()];
  if (second === undefined && first !== "") return { name: first };
  if (kind !== undefined && second !== undefined && second !== "" && rest.length === 0) return { kind, name: second };
  throw new InvalidArgumentError("expected ClusterProfile/NAME, Profile/NAME, or a name alone");
}

const kinds: Readonly<Record<string, ProfileKind>> = { clusterprofile: "ClusterProfile", profile: "Profile" };

/** The kinds that `show usage` lists. */
export const usageKinds = ["ClusterProfile", "Profile", "ConfigMap", "Secret"] as const;
