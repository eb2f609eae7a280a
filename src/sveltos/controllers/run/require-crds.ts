import { sveltosCrds, gvkOf, kindNames, kinds, sveltosNamespace, type KindName } from "../../api/index.ts";
import { doing, Fault } from "../../../core/fault/index.ts";
import { isAlreadyExists, waitForKind, type Cluster } from "../../../kube/index.ts";

/**
 * Sees to it that the management cluster serves our kinds: installs or updates their definitions (and makes the namespace that
 * generated objects lie in) when it may, and refuses by name what is missing when it may not.
 */
export async function requireCrds(hub: Cluster, install: boolean, signal: AbortSignal): Promise<void> {
  if (install) {
    await requireNamespace(hub, signal);
    for (const definition of sveltosCrds()) {
      await doing("install the definitions", () => hub.apply(definition, { force: true, signal }));
    }
    await Promise.all(kindNames.map((name) => waitForKind(hub, gvkOf(name), signal)));
    return;
  }
  const served = await Promise.all(kindNames.map(async (name) => (await hub.discovery.find(gvkOf(name))) !== undefined));
  const missing = kindNames.filter((_, index) => !served[index]).map(crdName);
  if (missing.length === 0) return;
  throw new Fault(
    `the management cluster has no ${missing.join(", ")}: install what sluice controller manifests prints, or start with --install-definitions`,
    undefined,
    { final: true },
  );
}

/** What is made of events lies in Sveltos' namespace. */
async function requireNamespace(hub: Cluster, signal: AbortSignal): Promise<void> {
  const ref = { group: "", version: "v1", kind: "Namespace", namespace: "", name: sveltosNamespace };
  if ((await hub.find(ref, { signal })) !== undefined) return;
  await hub.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: sveltosNamespace } }, { signal }).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}

function crdName(name: KindName): string {
  const { plural, group } = kinds[name];
  return `${plural}.${group}`;
}
