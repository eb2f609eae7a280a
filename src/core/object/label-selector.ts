import { Fault } from "../fault/index.ts";
import { parseRequirements } from "./label-parser.ts";
import { newRequirement, type LabelRequirement } from "./label-requirement.ts";

type Labels = Readonly<Record<string, string>>;

/** A parsed label selector. `matches` takes an object's labels. Missing labels count as an empty map. */
export type LabelSelector = {
  readonly requirements: readonly LabelRequirement[];
  readonly matches: (labels: Labels | undefined) => boolean;
};

/** The form that objects use (`spec.selector`). */
export type LabelSelectorObject = {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    /** `In`, `NotIn`, `Exists` or `DoesNotExist`. Anything else is refused. */
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
};

const everything: LabelSelector = { requirements: [], matches: () => true };
const nothing: LabelSelector = { requirements: [], matches: () => false };

/** Parses `app=web,tier in (a,b),!old`. Throws a Fault in Kubernetes' words. */
export function parseLabelSelector(text: string): LabelSelector {
  return compile(parseRequirements(text));
}

/** Converts the form that objects use. A missing selector matches nothing, an empty one everything. */
export function labelSelectorOf(selector: LabelSelectorObject | null | undefined): LabelSelector {
  if (selector === undefined || selector === null) return nothing;
  const labels = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => newRequirement(key, "=", [value]));
  const expressions = (selector.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
    const known = operators.get(operator);
    if (known === undefined)
      throw new Fault(`${JSON.stringify(operator)} is not a valid label selector operator`, undefined, { final: true });
    return newRequirement(key, known, values);
  });
  return compile([...labels, ...expressions]);
}

/** A selector for exactly these labels, without validation (as a Service's or a ReplicationController's). */
export function labelSelectorFor(labels: Labels): LabelSelector {
  return compile(Object.entries(labels).map(([key, value]) => ({ key, operator: "=", values: [value] })));
}

/** Formats the selector so that it parses to the same selector, ordered by key. */
export function labelSelectorText({ requirements }: LabelSelector): string {
  return requirements.map(requirementText).join(",");
}

const operators: ReadonlyMap<string, LabelRequirement["operator"]> = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
]);

function compile(requirements: readonly LabelRequirement[]): LabelSelector {
  if (requirements.length === 0) return everything;
  const sorted = requirements.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const tests = sorted.map(testFor);
  return { requirements: sorted, matches: (labels = {}) => tests.every((test) => test(labels)) };
}

function testFor({ key, operator, values }: LabelRequirement): (labels: Labels) => boolean {
  const valueIn = (labels: Labels) => (Object.hasOwn(labels, key) ? labels[key] : undefined);
  switch (operator) {
    case "=":
    case "==":
    case "in": {
      const wanted: ReadonlySet<string | undefined> = new Set(values);
      return (labels) => wanted.has(valueIn(labels));
    }
    case "!=":
    case "notin": {
      const unwanted: ReadonlySet<string | undefined> = new Set(values);
      return (labels) => !unwanted.has(valueIn(labels));
    }
    case "exists":
      return (labels) => Object.hasOwn(labels, key);
    case "!":
      return (labels) => !Object.hasOwn(labels, key);
    case "gt":
    case "lt":
      return (labels) => comparesAs(operator, valueIn(labels), values[0]!);
  }
}

function comparesAs(operator: "gt" | "lt", found: string | undefined, bound: string): boolean {
  if (found === undefined || !/^[+-]?\d+$/.test(found)) return false;
  return operator === "gt" ? BigInt(found) > BigInt(bound) : BigInt(found) < BigInt(bound);
}

function requirementText({ key, operator, values }: LabelRequirement): string {
  const list = values.toSorted().join(",");
  switch (operator) {
    case "exists":
      return key;
    case "!":
      return `!${key}`;
    case "in":
    case "notin":
      return `${key} ${operator} (${list})`;
    case "gt":
      return `${key}>${list}`;
    case "lt":
      return `${key}<${list}`;
    default:
      return key + operator + list;
  }
}
