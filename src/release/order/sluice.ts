import { compile } from "../../lang/cel/index.ts";
import type { Gate } from "./claim.ts";
import { duration, oneOf, type Dialect, type Reader } from "./reading.ts";

const gates: Readonly<Record<string, Gate>> = {
  applied: { until: "applied" },
  present: { until: "present" },
  ready: { until: "ready" },
  completed: { until: "completed" },
};

const health: Reader = (reading) => {
  try {
    const { type } = compile(reading.value, { variables: { self: "dyn" } });
    if (type === "bool" || type === "dyn") return { health: reading.value };
    return reading.refuse(`a CEL rule over self that gives true or false, and this one gives ${type}`);
  } catch (error) {
    return reading.refuse(
      `a CEL rule over self, for example self.status.phase == "Running": ${error instanceof Error ? error.message : String(error)}`,
    );
  }
};

/** Sluice's own annotations, for what the other dialects have no word for. */
export const sluice: Dialect = {
  name: "Sluice",
  owns: (key) => key.startsWith("sluice.dev/"),
  keys: {
    "sluice.dev/timeout": duration("above 0", (timeoutMs) => ({ timeoutMs })),
    "sluice.dev/gate": oneOf(gates, (gate) => ({ gate })),
    "sluice.dev/health": health,
    "sluice.dev/remove": oneOf({ before: "before", after: "after", keep: "keep" } as const, (remove) => ({ remove })),
    "sluice.dev/wait-for-kind": oneOf({ true: true, false: false }, (waitForKind) => ({ waitForKind })),
  },
};
