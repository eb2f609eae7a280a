/**
 * What Sluice does differently from Sveltos 0.51.1 on purpose. Every rule is on kinds and fields, as narrow as can be, and
 * says why; what falls under none is a bug.
 */
import { rule, type Rule } from "./rule.ts";

export const rules: readonly Rule[] = [
  rule("ConfigMap sveltos-agent-version, clustersharding-addonmanager-helm", "Sveltos' own bookkeeping, which nobody else reads", {
    kinds: ["ConfigMap"],
    path: /^$/,
    when: ({ name, got }) => got === undefined && /^projectsveltos\/(sveltos-agent-version|clustersharding-addonmanager-helm)$/.test(name),
  }),
];
