import { statSync, type Stats } from "node:fs";
import { Fault } from "../../core/fault/index.ts";

/** What a path names; undefined if nothing does. A path that cannot be looked at, such as one that is too long, is refused. */
export function statSource(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw new Fault("look for the chart or the manifests", error, { final: true });
  }
}
