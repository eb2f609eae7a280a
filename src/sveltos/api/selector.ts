import { Fault } from "../../core/fault/index.ts";
import { isFields, labelSelectorOf, parseLabelSelector, type LabelSelector, type LabelSelectorObject } from "../../core/object/index.ts";
import { list, map, mismatch, object, oneOf, optional, text, type ReadIssues, type Shape, type ValueOf } from "./shape/index.ts";

const labelSelectorFields = object(
  {
    matchLabels: optional(map(text())),
    matchExpressions: optional(
      list(object({ key: text(), operator: text(), values: optional(list(text(), { "x-kubernetes-list-type": "atomic" })) }), {
        "x-kubernetes-list-type": "atomic",
      }),
    ),
  },
  { atomic: true },
);

/** A label selector as an object: `matchLabels` and `matchExpressions`. */
export const labelSelector: Shape<LabelSelectorObject> = {
  schema: labelSelectorFields.schema,
  read(value, at, issues) {
    const before = issues.problems.length;
    const selector = labelSelectorFields.read(value, at, issues);
    if (issues.problems.length === before) checkSelector(selector, at, issues);
    return selector;
  },
};

/**
 * A selector of clusters in the forms of all generations: text (`env=prod,tier in (a,b)`) or object. It is read as an object.
 *
 * A structural schema cannot say "text or object", so this one has no type. The API server still checks the object's fields.
 */
export const clusterSelector: Shape<LabelSelectorObject> = {
  schema: { properties: labelSelectorFields.schema["properties"] ?? {}, "x-kubernetes-preserve-unknown-fields": true },
  read(value, at, issues) {
    if (typeof value === "string") return readSelectorText(value, at, issues);
    if (isFields(value)) return labelSelector.read(value, at, issues);
    mismatch(value, "a label selector (env=prod, or matchLabels and matchExpressions)", at, issues);
    return {};
  },
};

const labelFilterFields = object({
  key: text(),
  operation: oneOf("Equal", "Different", "Has", "DoesNotHave"),
  value: optional(text()),
});
export type LabelFilter = ValueOf<typeof labelFilterFields>;

/** One filter of `labelFilters`. */
export const labelFilter: Shape<LabelFilter> = {
  schema: labelFilterFields.schema,
  read(value, at, issues) {
    const filter = labelFilterFields.read(value, at, issues);
    checkSelector(selectorFor([filter]), at, issues);
    return filter;
  },
};

/** Joins label filters and a selector to one selector; all of them must match. */
export function selectorFor(filters: readonly LabelFilter[], selector: LabelSelectorObject = {}): LabelSelectorObject {
  if (filters.length === 0) return selector;
  return { ...selector, matchExpressions: [...filters.map(expressionFor), ...(selector.matchExpressions ?? [])] };
}

/** Parses a selector text. Throws a Fault for invalid text, and for `a>1`, which a selector object cannot express. */
export function selectorOfText(source: string): LabelSelectorObject {
  const matchLabels: Record<string, string> = {};
  const matchExpressions: Expression[] = [];
  for (const { key, operator, values } of parseLabelSelector(source).requirements) {
    const equality = operator === "=" || operator === "==";
    if (equality && !Object.hasOwn(matchLabels, key)) matchLabels[key] = values[0] ?? "";
    else matchExpressions.push({ key, operator: operatorFor(operator), ...(values.length > 0 && { values }) });
  }
  return {
    ...(Object.keys(matchLabels).length > 0 && { matchLabels }),
    ...(matchExpressions.length > 0 && { matchExpressions }),
  };
}

/** Whether labels match a valid selector. An empty selector matches everything. */
export function matches(selector: LabelSelectorObject, labels: Readonly<Record<string, string>> | undefined): boolean {
  return compiled(selector).matches(labels);
}

/** As `matches`, but an empty selector matches nothing, as for all cluster selectors in Sveltos. */
export function selectsCluster(selector: LabelSelectorObject, labels: Readonly<Record<string, string>> | undefined): boolean {
  return !isEmptySelector(selector) && matches(selector, labels);
}

export function isEmptySelector({ matchLabels = {}, matchExpressions = [] }: LabelSelectorObject): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

type Expression = NonNullable<LabelSelectorObject["matchExpressions"]>[number];

/** Caches compiled selectors, which are matched against every object of a kind. */
const compiledSelectors = new WeakMap<LabelSelectorObject, LabelSelector>();

function compiled(selector: LabelSelectorObject): LabelSelector {
  const found = compiledSelectors.get(selector) ?? labelSelectorOf(selector);
  compiledSelectors.set(selector, found);
  return found;
}

/** Reports invalid keys, values and operators of a selector. */
function checkSelector(selector: LabelSelectorObject, at: string, issues: ReadIssues): void {
  try {
    compiled(selector);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    issues.problems.push({ at, message: error.message });
  }
}

function readSelectorText(source: string, at: string, issues: ReadIssues): LabelSelectorObject {
  try {
    return selectorOfText(source);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    issues.problems.push({ at, message: `found ${JSON.stringify(source)}, expected a label selector: ${error.message}` });
    return {};
  }
}

function expressionFor({ key, operation, value = "" }: LabelFilter): Expression {
  switch (operation) {
    case "Equal":
      return { key, operator: "In", values: [value] };
    case "Different":
      return { key, operator: "NotIn", values: [value] };
    case "Has":
      return { key, operator: "Exists" };
    case "DoesNotHave":
      return { key, operator: "DoesNotExist" };
  }
}

function operatorFor(operator: LabelSelector["requirements"][number]["operator"]): string {
  switch (operator) {
    case "=":
    case "==":
    case "in":
      return "In";
    case "!=":
    case "notin":
      return "NotIn";
    case "exists":
      return "Exists";
    case "!":
      return "DoesNotExist";
    case "gt":
    case "lt":
      throw new Fault(`a comparison (${operator === "gt" ? ">" : "<"}) is not supported by selectors of clusters`, undefined, {
        final: true,
      });
  }
}
