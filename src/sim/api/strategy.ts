import { strategyFor, type Strategy } from "../builtin/index.ts";
import { customStrategy } from "./custom-strategy.ts";
import type { Resource } from "./resource.ts";

const custom = new WeakMap<Resource, Strategy>();

/** What the server does to the objects of a resource, built-in or defined. */
export function strategyOf(resource: Resource): Strategy {
  if (resource.custom === undefined) return strategyFor(resource.group, resource.kind);
  let strategy = custom.get(resource);
  if (strategy === undefined) custom.set(resource, (strategy = customStrategy(resource, resource.custom)));
  return strategy;
}
