import { strategyFor, type Strategy } from "../builtin/index.ts";
import { customStrategy } from "./custom-strategy.ts";
import { definitionStrategy } from "./definition-strategy.ts";
import type { Resource } from "./resource.ts";

const known = new WeakMap<Resource, Strategy>();

/** What the server does to the objects of a resource, built-in or defined. */
export function strategyOf(resource: Resource): Strategy {
  let strategy = known.get(resource);
  if (strategy === undefined) known.set(resource, (strategy = made(resource)));
  return strategy;
}

function made(resource: Resource): Strategy {
  if (resource.custom !== undefined) return customStrategy(resource, resource.custom);
  if (resource.key === "customresourcedefinitions.apiextensions.k8s.io") return definitionStrategy();
  return strategyFor(resource.group, resource.kind);
}
