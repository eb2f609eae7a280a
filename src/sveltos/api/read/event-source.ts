import type { KubeObject, LabelSelectorObject, ObjectMeta } from "../../../core/object/index.ts";
import { eventSourceSpec } from "../kind/event-source.ts";
import type { CelRule, resourceSelectorShape } from "../kind/resource-selector.ts";
import { selectorFor } from "../selector.ts";
import type { ReadIssues, ValueOf } from "../shape/index.ts";
import { readSpecWith, type ReadResult } from "./read-result.ts";

/** A selector of objects and how each is evaluated. An object matches if the Lua script says so and any CEL rule is true. */
export type ResourceSelector = {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Empty: every namespace, or a cluster-scoped kind. */
  readonly namespace: string;
  /** Empty: every name. */
  readonly name: string;
  /** Label filters and selector, joined. Empty: everything. See `matches`. */
  readonly selector: LabelSelectorObject;
  /** A Lua script with a function `evaluate`; empty: none. */
  readonly evaluate: string;
  readonly evaluateCEL: readonly CelRule[];
};

/** An EventSource of any generation. */
export type EventSource = {
  readonly metadata: ObjectMeta;
  readonly selectors: readonly ResourceSelector[];
  /** A Lua script that selects among all matching objects; empty: none. */
  readonly aggregatedSelection: string;
  readonly collectResources: boolean;
};

/**
 * Reads an EventSource in the flat form of 2023 (`kind`, `labelFilters` or `labelsFilters`, `script`) or with
 * resourceSelectors. Both at once, or neither, is a problem.
 */
export function readEventSource(object: KubeObject): ReadResult<EventSource> {
  return readSpecWith(object, eventSourceSpec, (spec, issues) => ({
    metadata: object.metadata,
    selectors: selectorsOf(spec, issues),
    aggregatedSelection: spec.aggregatedSelection ?? "",
    collectResources: spec.collectResources,
  }));
}

/** A resource selector in its normal form. */
function normalSelector(written: ValueOf<typeof resourceSelectorShape>): ResourceSelector {
  const { group, version, kind, namespace = "", name = "", labelFilters = [], selector = {}, evaluate = "", evaluateCEL = [] } = written;
  return { group, version, kind, namespace, name, selector: selectorFor(labelFilters, selector), evaluate, evaluateCEL };
}

type Spec = ValueOf<typeof eventSourceSpec>;

const flatFields = ["group", "version", "kind", "namespace", "labelFilters", "labelsFilters", "script"] as const;

function selectorsOf(spec: Spec, issues: ReadIssues): readonly ResourceSelector[] {
  const { resourceSelectors = [] } = spec;
  const flat = flatFields.filter((field) => spec[field] !== undefined);
  if (resourceSelectors.length > 0 && flat.length > 0)
    issues.problems.push({
      at: "spec",
      message: `found both resourceSelectors and ${flat.join(", ")}, expected the one or the other`,
    });
  // A source with messagingMatchCriteria needs no selector. The field is refused by name, which is clearer than a problem.
  if (resourceSelectors.length > 0 || issues.refused.includes("spec.messagingMatchCriteria")) return resourceSelectors.map(normalSelector);
  return flatSelector(spec, issues);
}

function flatSelector(spec: Spec, issues: ReadIssues): readonly ResourceSelector[] {
  const { group = "", version, kind, namespace, script: evaluate, labelFilters = [], labelsFilters = [] } = spec;
  if (version === undefined && kind === undefined)
    issues.problems.push({ at: "spec.resourceSelectors", message: "is missing: expected the objects that make the event" });
  else if (version === undefined || version === "" || kind === undefined || kind === "")
    issues.problems.push({ at: "spec", message: "expected version and kind, both" });
  return [
    normalSelector({
      group,
      version: version ?? "",
      kind: kind ?? "",
      ...(namespace !== undefined && { namespace }),
      ...(evaluate !== undefined && { evaluate }),
      labelFilters: [...labelFilters, ...labelsFilters],
    }),
  ];
}
