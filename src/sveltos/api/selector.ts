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

/** A selector in the form of objects: `matchLabels` and `matchExpressions`. */
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
 * A selector of clusters, as every generation writes it: text (`env=prod,tier in (a,b)`) or object. It is read as object.
 *
 * The schema carries no type because a schema cannot say "text or object"; the object's fields are checked all the same.
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

/** Label filters and a selector as one selector: all of them must hold. */
export function selectorFor(filters: readonly LabelFilter[], selector: LabelSelectorObject = {}): LabelSelectorObject {
  if (filters.length === 0) return selector;
  return { ...selector, matchExpressions: [...filters.map(expressionFor), ...(selector.matchExpressions ?? [])] };
}

/** Text as a selector object. Throws a Fault for text that cannot be read, and for `a>1`, which no object can say. */
export function selectorOfText(source: string): LabelSelectorObject {
  const matchLabels: Record<string, string> = {};
  const matchExpressions: Expression[] = [];
  for (const { key, operator, values } of parseLabelSelector(source).requirements) {
    const equality = operator === "=" || operator === "==";
    if (equality && !Object.hasOwn(matchLabels, key)) matchLabels[key] = values[0] ?? "";
    else matchExpressions.push({ key, operator: wordFor(operator), ...(values.length > 0 && { values }) });
  }
  return {
    ...(Object.keys(matchLabels).length > 0 && { matchLabels }),
    ...(matchExpressions.length > 0 && { matchExpressions }),
  };
}

/** Tells whether labels satisfy a selector that a reader has accepted. An empty selector is satisfied by all. */
export function matches(selector: LabelSelectorObject, labels: Readonly<Record<string, string>> | undefined): boolean {
  return compiled(selector).matches(labels);
}

/** As `matches`, but an empty selector selects nothing: how selectors of clusters are meant everywhere in Sveltos. */
export function selectsCluster(selector: LabelSelectorObject, labels: Readonly<Record<string, string>> | undefined): boolean {
  return !isEmptySelector(selector) && matches(selector, labels);
}

export function isEmptySelector({ matchLabels = {}, matchExpressions = [] }: LabelSelectorObject): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

type Expression = NonNullable<LabelSelectorObject["matchExpressions"]>[number];

/** Selectors are asked for every object of a kind: each is compiled once. */
const known = new WeakMap<LabelSelectorObject, LabelSelector>();

function compiled(selector: LabelSelectorObject): LabelSelector {
  const found = known.get(selector) ?? labelSelectorOf(selector);
  known.set(selector, found);
  return found;
}

/** Notes what makes a selector unusable: a key or a value that no label can have, an operator that does not exist. */
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

function wordFor(operator: LabelSelector["requirements"][number]["operator"]): string {
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
