import { sveltosCrds, gvkOf, kindNames, kinds, sveltosNamespace, type KindName } from "../../api/index.ts";
import { doing, Fault } from "../../../core/fault/index.ts";
import { isAlreadyExists, waitForKind, type Cluster } from "../../../kube/index.ts";

/**
 * Makes sure that the management cluster serves our kinds. With `install` it applies the CRDs and creates the namespace of
 * generated objects; without it, missing CRDs are an error that names them.
 */
export async function requireCrds(hub: Cluster, install: boolean, signal: AbortSignal): Promise<void> {
  if (install) {
    await requireNamespace(hub, signal);
    for (const crd of sveltosCrds()) {
      await doing("install the CRDs", () => hub.apply(crd, { force: true, signal }));
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

/** Generated objects are in Sveltos' namespace. */
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
