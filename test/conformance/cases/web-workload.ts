import type { Json } from "../../../src/core/object/index.ts";
import { namespacedPath } from "../conformance-case.ts";

type Fields = { readonly [field: string]: Json };

/** A template of pods labelled `app: web`. */
export const webTemplate = (image: string, container: Fields = {}, pod: Fields = {}) => ({
  metadata: { labels: { app: "web" } },
  spec: { containers: [{ name: "c", image: `example.com/${image}`, ...container }], ...pod },
});
/** A workload called web. */
export const webWorkload = (kind: string, spec: Fields, image = "good:1") => ({
  apiVersion: "apps/v1",
  kind,
  metadata: { name: "web" },
  spec: { selector: { matchLabels: { app: "web" } }, template: webTemplate(image), ...spec },
});
/** A patch that sets its image. */
export const imagePatch = (name: string) => ({
  spec: { template: { spec: { containers: [{ name: "c", image: `example.com/${name}` }] } } },
});
export const podsPath = namespacedPath("v1", "pods");
export const webPodsPath = `${podsPath}?labelSelector=app%3Dweb`;
export const untilReady = { "condition:Ready": "True" };
