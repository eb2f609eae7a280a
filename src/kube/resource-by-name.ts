import type { Resource } from "./resource.ts";

/**
 * Finds a resource by a name that kubectl accepts: `deploy`, `Deployment`, `deployments.apps`, `deployments.v1.apps`.
 * Models client-go restmapper/shortcut.go and discovery.go
 */
export function resourceByName(resources: readonly Resource[], name: string): Resource | undefined {
  const wanted = name.toLowerCase();
  const [word = "", ...rest] = wanted.split(".");
  const suffix = rest.join(".");
  return (
    resources.find((resource) => isCalled(resource, wanted)) ??
    resources.find((resource) => isCalled(resource, word) && isIn(resource, suffix)) ??
    resources.find((resource) => resource.shortNames.includes(wanted))
  );
}

function isCalled({ plural, singular, kind, shortNames }: Resource, word: string): boolean {
  return plural === word || singular === word || kind.toLowerCase() === word || shortNames.includes(word);
}

/** `apps` or `v1.apps`. As in kubectl, a prefix of the group is enough: `deployments.ext`. */
function isIn({ group, version }: Resource, suffix: string): boolean {
  if (suffix === "") return false;
  return group === suffix || `${version}.${group}` === suffix || (group === "" && version === suffix) || group.startsWith(`${suffix}.`);
}
