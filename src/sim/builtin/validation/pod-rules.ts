import type { KindRules } from "./kind.ts";
import { coreMeta, coreMetaUpdate } from "./meta.ts";
import { dnsSubdomain } from "./names.ts";
import { createdPod, updatedPod } from "./pod.ts";

export const podRules: KindRules = {
  create: (pod) => [...coreMeta(pod, { name: dnsSubdomain, namespaced: true }), ...createdPod(pod)],
  update: (pod, live) => [
    ...coreMeta(pod, { name: dnsSubdomain, namespaced: true }),
    ...coreMetaUpdate(pod, live),
    ...updatedPod(pod, live),
  ],
};
