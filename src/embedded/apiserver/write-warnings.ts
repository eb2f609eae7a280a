import type { KubeObject } from "../../core/object/index.ts";
import type { Strategy } from "../builtin/index.ts";
import type { ApiServerWriteOptions } from "./write-options.ts";

type Options = Pick<ApiServerWriteOptions, "warn" | "subresource">;

/** Warns of what is odd about a valid object that is created. Models apiserver pkg/registry/rest/create.go */
export function warnOfCreate({ warnings }: Strategy, object: KubeObject, { warn }: Options): void {
  if (warn !== undefined) warnings?.create?.(object).forEach(warn);
}

/** The same of a change. A write to a part with rules of its own warns of nothing. Models apiserver pkg/registry/rest/update.go */
export function warnOfUpdate(strategy: Strategy, object: KubeObject, live: KubeObject, { warn, subresource = "" }: Options): void {
  if (warn === undefined || strategy.subresources?.[subresource] !== undefined) return;
  const { update, status } = strategy.warnings ?? {};
  (subresource === "status" ? status : update)?.(object, live).forEach(warn);
}
