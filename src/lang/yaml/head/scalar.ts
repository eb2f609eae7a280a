import type { Resolved } from "../parse/resolve.ts";

/** A scalar that is no string, with what it is to go-yaml: 1 and 1.0 differ once they become strings. */
export class Scalar {
  readonly resolved: Resolved;

  constructor(resolved: Resolved) {
    this.resolved = resolved;
  }

  get isNull(): boolean {
    return this.resolved.kind === "null";
  }
}
