import type { KubeObject } from "../src/core/object/index.ts";
import { exampleManifests } from "../test/sveltos/test-fleet.ts";

const template = exampleManifests("network-policy/managed/my-service.yaml")[0]!;

/** A Service that the example's EventSource matches. */
export function serviceNamed(name: string): KubeObject {
  return { ...template, metadata: { ...template.metadata, name, namespace: "default" } };
}
