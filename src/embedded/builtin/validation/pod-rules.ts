import type { KindRules } from "./kind-rules.ts";
import { validateCoreObjectMeta, validateCoreObjectMetaUpdate } from "./object-meta.ts";
import { checkDnsSubdomain } from "./name-formats.ts";
import { validatePodAnnotationUpdates } from "./pod-annotations.ts";
import { validatePodUpdate } from "./pod-update.ts";
import { validatePodCreate, validatePodMetaAndSpec } from "./pod.ts";

const meta = { name: checkDnsSubdomain, namespaced: true };

export const podRules: KindRules = {
  create: (pod) => [...validateCoreObjectMeta(pod, meta), ...validatePodCreate(pod)],
  update: (pod, live) => [
    ...validateCoreObjectMetaUpdate(pod, live),
    ...validateCoreObjectMeta(pod, meta),
    ...validatePodMetaAndSpec(pod),
    ...validatePodAnnotationUpdates(pod, live),
    ...validatePodUpdate(pod, live),
  ],
};
