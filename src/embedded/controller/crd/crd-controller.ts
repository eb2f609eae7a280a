import type { KubeObject } from "../../../core/object/index.ts";
import { resourcesOfCrd, timestampOf, type ResourceCatalog } from "../../apiserver/index.ts";
import { nextCrdStatus, crdSpecOf, crdStatusOf, terminatingConditions, setCrdCondition, type CrdCondition } from "../../crd/index.ts";
import type { Controller, ControllerConstructor, EmbeddedControllerContext } from "../controller.ts";

const crds = "customresourcedefinitions.apiextensions.k8s.io";
const cleanup = "customresourcecleanup.apiextensions.k8s.io";
const manager = "kube-apiserver";

/** Models apiextensions pkg/controller/status, establish and finalizer */
export function crdController(catalog: ResourceCatalog): ControllerConstructor {
  return (context) => {
    // What a cluster served when it last ran is served from its first request on.
    for (const crd of context.api.list(crds)) serve(crd, catalog);
    return controllerOf(context, catalog);
  };
}

function controllerOf(context: EmbeddedControllerContext, catalog: ResourceCatalog): Controller {
  return {
    name: "crd",
    watches: {
      // A name that one CRD releases may unblock another CRD of its group.
      [crds]: ({ object }) => {
        const { group } = crdSpecOf(object);
        const siblings = context.api.list(crds).filter((other) => crdSpecOf(other).group === group);
        return new Set([object.metadata.name, ...siblings.map(({ metadata }) => metadata.name)]);
      },
      "*": ({ type, resource }) => (type === "DELETED" && catalog.stored(resource)?.custom !== undefined ? [resource] : []),
    },
    reconcile: (name) => reconcile(name, context, catalog),
  };
}

function reconcile(name: string, context: EmbeddedControllerContext, catalog: ResourceCatalog): undefined {
  const crd = context.api.read(crds, "", name);
  if (crd === undefined) return void catalog.removeCustom(name);
  if (crd.metadata.deletionTimestamp !== undefined) return finalize(crd, context, catalog);
  const now = timestampOf(context.clock.now());
  const status = nextCrdStatus(crd, context.api.list(crds), now);
  const settled = status === crdStatusOf(crd) ? crd : context.api.updateStatus(crds, { ...crd, status }, manager);
  serve(settled, catalog);
}

/** Serves the CRD again only when its spec or status changed, so that a resource keeps its compiled rules. */
function serve(crd: KubeObject, catalog: ResourceCatalog): undefined {
  const { name } = crd.metadata;
  const before = catalog.stored(name)?.custom?.crd;
  if (before?.["spec"] === crd["spec"] && before?.["status"] === crd["status"]) return undefined;
  const resources = resourcesOfCrd(crd);
  if (resources.length > 0) catalog.addCustom(name, resources);
  return undefined;
}

/** Deletes every object of the CRD, and then removes the CRD's finalizer. */
function finalize(crd: KubeObject, context: EmbeddedControllerContext, catalog: ResourceCatalog): undefined {
  const { api, clock } = context;
  const { name, finalizers = [] } = crd.metadata;
  if (!finalizers.includes(cleanup)) return void catalog.removeCustom(name);
  const left = api.list(name);
  if (left.length > 0) {
    for (const { metadata } of left) api.delete(name, metadata.namespace ?? "", metadata.name);
    if (api.list(name).length > 0) return serve(setTerminating(terminatingConditions.inProgress), catalog);
  }
  const updated = setTerminating(terminatingConditions.completed);
  api.update(crds, { ...updated, metadata: { ...updated.metadata, finalizers: finalizers.filter((item) => item !== cleanup) } }, manager);
  catalog.removeCustom(name);

  function setTerminating(condition: CrdCondition): KubeObject {
    const status = crdStatusOf(crd);
    const conditions = setCrdCondition(status.conditions ?? [], condition, timestampOf(clock.now()));
    return api.updateStatus(crds, { ...crd, status: { ...status, conditions } }, manager);
  }
}
