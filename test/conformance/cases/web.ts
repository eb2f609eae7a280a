import type { Json } from "../../../src/core/object/index.ts";
import { inNs } from "../case.ts";

type Fields = { readonly [field: string]: Json };

/** A template of pods labelled `app: web`. */
export const podTemplate = (image: string, container: Fields = {}, pod: Fields = {}) => ({
  metadata: { labels: { app: "web" } },
  spec: { containers: [{ name: "c", image: `example.com/${image}`, ...container }], ...pod },
});
/** A workload called web. */
export const workload = (kind: string, spec: Fields, image = "good:1") => ({
  apiVersion: "apps/v1",
  kind,
  metadata: { name: "web" },
  spec: { selector: { matchLabels: { app: "web" } }, template: podTemplate(image), ...spec },
});
/** A patch that sets its image. */
export const image = (name: string) => ({ spec: { template: { spec: { containers: [{ name: "c", image: `example.com/${name}` }] } } } });
export const pods = inNs("v1", "pods");
export const podsOfWeb = `${pods}?labelSelector=app%3Dweb`;
export const isReady = { "condition:Ready": "True" };
