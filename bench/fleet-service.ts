import type { KubeObject } from "../src/core/object/index.ts";
import { manifestsOf } from "../test/sveltos/ground.ts";

const template = manifestsOf("network-policy/managed/my-service.yaml")[0]!;

/** A Service that makes an event. */
export function serviceNamed(name: string): KubeObject {
  return { ...template, metadata: { ...template.metadata, name, namespace: "default" } };
}
