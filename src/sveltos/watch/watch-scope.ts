import type { ResourceSelector } from "../api/index.ts";
import type { Selection } from "../../kube/index.ts";
import { escapeFieldValue, labelSelectorOf, labelSelectorText } from "../../core/object/index.ts";

type ScopedSelector = Pick<ResourceSelector, "namespace" | "name" | "selector">;

const dimensions = ["namespace", "labelSelector", "fieldSelector"] as const;

/** The narrowest scope that covers all these selectors: the restrictions that they have in common. */
export function watchScopeOf(selectors: readonly ScopedSelector[]): Selection {
  const scopes = selectors.map(scopeFor);
  const common = dimensions.flatMap((dimension) => {
    const values = new Set(scopes.map((scope) => scope[dimension]));
    const [only] = values;
    return values.size === 1 && only !== undefined ? [[dimension, only] as const] : [];
  });
  return Object.fromEntries(common);
}

/** Whether a scope covers everything that these selectors may match. */
export function covers(scope: Selection, selectors: readonly ScopedSelector[]): boolean {
  const needed = watchScopeOf(selectors);
  return dimensions.every((dimension) => scope[dimension] === undefined || scope[dimension] === needed[dimension]);
}

function scopeFor({ namespace, name, selector }: ScopedSelector): Selection {
  const labelSelector = labelSelectorText(labelSelectorOf(selector));
  return {
    ...(namespace !== "" && { namespace }),
    ...(labelSelector !== "" && { labelSelector }),
    ...(name !== "" && { fieldSelector: `metadata.name=${escapeFieldValue(name)}` }),
  };
}
