import type { KubeObject } from "../../core/object/index.ts";
import { checkQualifiedName } from "../builtin/index.ts";

const standard = new Set(["orphan", "foregroundDeletion", "kubernetes"]);
const why = "to avoid accidental conflicts with other finalizer writers";

/** What is odd about the finalizers that a write of a custom resource adds. Models apiextensions pkg/registry/customresource/validator.go */
export function finalizerWarnings({ metadata }: KubeObject, live?: KubeObject): readonly string[] {
  const before = new Set(live?.metadata.finalizers);
  return (metadata.finalizers ?? [])
    .filter((name) => !before.has(name))
    .toSorted()
    .flatMap((name) => {
      const advice = name.includes(".")
        ? `prefer a domain-qualified finalizer name including a path (/) ${why}`
        : `prefer a domain-qualified finalizer name ${why}`;
      const isPlain = !name.includes("/") && !standard.has(name);
      const problems = [...checkQualifiedName(name), ...(isPlain ? [advice] : [])];
      return problems.map((problem) => `metadata.finalizers: ${JSON.stringify(name)}: ${problem}`);
    });
}
