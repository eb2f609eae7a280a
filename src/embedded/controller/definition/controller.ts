import type { KubeObject } from "../../../core/object/index.ts";
import { resourcesOfDefinition, timestampOf, type Catalog } from "../../api/index.ts";
import { nextStatus, specOf, statusOf, terminating, withCondition, type DefinitionCondition } from "../../crd/index.ts";
import type { MakeController, World } from "../controller.ts";

const definitions = "customresourcedefinitions.apiextensions.k8s.io";
const cleanup = "customresourcecleanup.apiextensions.k8s.io";
const manager = "kube-apiserver";

/** Models apiextensions pkg/controller/status, establish and finalizer */
export function definitionController(catalog: Catalog): MakeController {
  return (world) => ({
    name: "definition",
    watches: {
      // A name that one definition gives up may be what another one of its group waits for.
      [definitions]: ({ object }) => {
        const { group } = specOf(object);
        const siblings = world.api.list(definitions).filter((other) => specOf(other).group === group);
        return new Set([object.metadata.name, ...siblings.map(({ metadata }) => metadata.name)]);
      },
      "*": ({ type, resource }) => (type === "DELETED" && catalog.stored(resource)?.custom !== undefined ? [resource] : []),
    },
    reconcile: (name) => reconcile(name, world, catalog),
  });
}

function reconcile(name: string, world: World, catalog: Catalog): undefined {
  const definition = world.api.read(definitions, "", name);
  if (definition === undefined) return void catalog.undefine(name);
  if (definition.metadata.deletionTimestamp !== undefined) return finalize(definition, world, catalog);
  const now = timestampOf(world.clock.now());
  const status = nextStatus(definition, world.api.list(definitions), now);
  const settled = status === statusOf(definition) ? definition : world.api.updateStatus(definitions, { ...definition, status }, manager);
  serve(settled, catalog);
}

/** Serving it anew only when its spec or names are: a resource keeps what has been compiled for it. */
function serve(definition: KubeObject, catalog: Catalog): undefined {
  const { name } = definition.metadata;
  const before = catalog.stored(name)?.custom?.definition;
  if (before?.["spec"] === definition["spec"] && before?.["status"] === definition["status"]) return undefined;
  const resources = resourcesOfDefinition(definition);
  if (resources.length > 0) catalog.define(name, resources);
  return undefined;
}

/** Deletes every object of the definition; once they are gone, lets go of the definition too. */
function finalize(definition: KubeObject, world: World, catalog: Catalog): undefined {
  const { api, clock } = world;
  const { name, finalizers = [] } = definition.metadata;
  if (!finalizers.includes(cleanup)) return void catalog.undefine(name);
  const left = api.list(name);
  if (left.length > 0) {
    for (const { metadata } of left) api.delete(name, metadata.namespace ?? "", metadata.name);
    if (api.list(name).length > 0) return serve(say(terminating.inProgress), catalog);
  }
  const told = say(terminating.completed);
  api.update(definitions, { ...told, metadata: { ...told.metadata, finalizers: finalizers.filter((item) => item !== cleanup) } }, manager);
  catalog.undefine(name);

  function say(condition: DefinitionCondition): KubeObject {
    const status = statusOf(definition);
    const conditions = withCondition(status.conditions ?? [], condition, timestampOf(clock.now()));
    return api.updateStatus(definitions, { ...definition, status: { ...status, conditions } }, manager);
  }
}
