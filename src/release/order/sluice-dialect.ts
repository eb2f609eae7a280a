import { compileCel } from "../../lang/cel/index.ts";
import type { Gate } from "./ordering-constraints.ts";
import { durationReader, enumReader, type Dialect, type AnnotationReader } from "./annotation-reader.ts";

const gates: Readonly<Record<string, Gate>> = {
  applied: { until: "applied" },
  present: { until: "present" },
  ready: { until: "ready" },
  completed: { until: "completed" },
};

const health: AnnotationReader = (annotation) => {
  try {
    const { type } = compileCel(annotation.value, { variables: { self: "dyn" } });
    if (type === "bool" || type === "dyn") return { health: annotation.value };
    return annotation.refuse(`a CEL rule over self that gives true or false, and this one gives ${type}`);
  } catch (error) {
    return annotation.refuse(
      `a CEL rule over self, for example self.status.phase == "Running": ${error instanceof Error ? error.message : String(error)}`,
    );
  }
};

/** Sluice's own annotations, for what the other dialects cannot express. */
export const sluiceDialect: Dialect = {
  name: "Sluice",
  owns: (key) => key.startsWith("sluice.dev/"),
  keys: {
    "sluice.dev/timeout": durationReader("above 0", (timeoutMs) => ({ timeoutMs })),
    "sluice.dev/scheduling-timeout": durationReader("0 or more", (schedulingTimeoutMs) => ({ tracking: { schedulingTimeoutMs } })),
    "sluice.dev/gate": enumReader(gates, (gate) => ({ gate })),
    "sluice.dev/health": health,
    "sluice.dev/remove": enumReader({ before: "before", after: "after", keep: "keep" } as const, (remove) => ({ remove })),
    "sluice.dev/wait-for-kind": enumReader({ true: true, false: false }, (waitForKind) => ({ waitForKind })),
  },
};
