import { parseJsonPath } from "../../core/object/index.ts";
import type { DeletePolicy, Property } from "./ordering-constraints.ts";
import { splitList, splitPair } from "./split-pairs.ts";
import { integerReader, enumReader, enumListReader, type Dialect, type AnnotationReader } from "./annotation-reader.ts";

const phases = { least: -9999, most: 9999 };
const trueOrFalse = { true: true, false: false };

const deletePolicies: Readonly<Record<string, readonly DeletePolicy[]>> = {
  "before-hook-creation": ["before-creation"],
  "hook-succeeded": ["succeeded"],
  "hook-failed": ["failed"],
};

const waitForProperties: AnnotationReader = (annotation) => {
  const example = `for example '.status.phase=Running', or '.status.conditions[?(@.type=="Ready")].status=True'; a comma or an equals sign that belongs to a value is written with a backslash before it`;
  const properties: Property[] = [];
  for (const text of splitList(annotation.value)) {
    const pair = splitPair(text);
    if (pair === undefined || pair.path.trim() === "" || pair.value === "")
      return annotation.refuse(`<jsonpath>=<value> pairs, parted by commas, and ${JSON.stringify(text)} is none: ${example}`);
    const operator = operatorIn(text, pair);
    if (operator !== undefined)
      return annotation.refuse(
        `<jsonpath>=<value> pairs, and ${JSON.stringify(text)} compares with ${JSON.stringify(operator)}: properties are compared only for equality, for anything else write a rule, for example sluice.dev/health: self.status.phase != "Pending"; a value that begins with an equals sign is written \\=`,
      );
    const fault = pathFault(pair.path);
    if (fault !== undefined) return annotation.refuse(`a JSONPath before the equals sign, and ${pair.path} is none (${fault}): ${example}`);
    properties.push(pair);
  }
  return { gates: [{ until: "properties", properties }], barrier: true, orderedBy: ["kots"] };
};

/** KOTS knows no operators. Its JSONPath takes `.a!` for a field's name, which then never has a value. */
function operatorIn(text: string, { path, value }: Property): string | undefined {
  const before = /[!<>]$/.exec(path)?.[0];
  if (before !== undefined) return `${before}=`;
  const isEscaped = !text.endsWith(`=${value}`);
  return value.startsWith("=") && !isEscaped ? "==" : undefined;
}

function pathFault(path: string): string | undefined {
  try {
    parseJsonPath(path);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export const kotsDialect: Dialect = {
  name: "KOTS",
  owns: (key) => key.startsWith("kots.io/"),
  keys: {
    "kots.io/creation-phase": integerReader(phases, (value, { key }) => ({
      ranks: [{ key, value, gate: { until: "applied" } }],
      orderedBy: ["kots"],
    })),
    "kots.io/deletion-phase": integerReader(phases, (deletionPhase) => ({ deletionPhase, orderedBy: ["kots"] })),
    "kots.io/wait-for-ready": enumReader(trueOrFalse, (wait) =>
      wait ? { gates: [{ until: "kots-ready" }], barrier: true, orderedBy: ["kots"] } : {},
    ),
    "kots.io/wait-for-properties": waitForProperties,
    "kots.io/keep": enumReader(trueOrFalse, (kept) => (kept ? { keep: { delete: true } } : {})),
    "kots.io/hook-delete-policy": enumListReader(deletePolicies, (policies) => ({ jobDeletePolicies: policies.flat() })),
  },
  silent: ["kots.io/app-slug", "kots.io/backup", "kots.io/installer-only"],
};
