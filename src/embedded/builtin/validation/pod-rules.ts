import type { KindRules } from "./kind.ts";
import { coreMeta, coreMetaUpdate } from "./meta.ts";
import { dnsSubdomain } from "./names.ts";
import { podUpdate } from "./pod-update.ts";
import { createdPod, podAndSpec } from "./pod.ts";

const meta = { name: dnsSubdomain, namespaced: true };

export const podRules: KindRules = {
  create: (pod) => [...coreMeta(pod, meta), ...createdPod(pod)],
  update: (pod, live) => [...coreMetaUpdate(pod, live), ...coreMeta(pod, meta), ...podAndSpec(pod), ...podUpdate(pod, live)],
};
