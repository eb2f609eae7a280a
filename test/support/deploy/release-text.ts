import type { renderChart } from "../../../src/sveltos/deploy/charts/render-chart.ts";
import type { OwnedTasks } from "../../../src/sveltos/deploy/owned-tasks.ts";

/** A ClusterSummary that pays for tasks. */
export const summaryScope = {
  summary: { metadata: { name: "s", namespace: "mgmt" } },
  owner: { kind: "ClusterProfile", namespace: "", name: "p", uid: "u" },
} as unknown as ConstructorParameters<typeof OwnedTasks>[1];

type RenderedRelease = Awaited<ReturnType<typeof renderChart>>;
type Located = RenderedRelease["manifests"][number];

/** All of a rendered release: its records, its objects with all digits, and the positions that messages name. */
export function releaseText({ about, crds, manifests, invalid }: RenderedRelease): string {
  return JSON.stringify([about, crds, manifests, invalid], replaced, 1);
}

function replaced(_: string, value: unknown): unknown {
  return isLocated(value) ? { ...value, positions: positionsOf(value) } : plain(value);
}

function isLocated(value: unknown): value is Located {
  return typeof value === "object" && value !== null && "positionOf" in value;
}
function positionsOf({ object, positionOf }: Located): readonly unknown[] {
  const keys = Object.keys(object.metadata.annotations ?? {});
  return [...keys.map((key) => positionOf(`metadata.annotations[${JSON.stringify(key)}]`)), positionOf("spec.dependsOn")];
}

function plain(value: unknown): unknown {
  return typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0))
    ? `number ${Object.is(value, -0) ? "-0" : value}`
    : value;
}
