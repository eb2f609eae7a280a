import type { ResolvedScalar } from "../parse/resolve-scalar.ts";

/** A scalar that is no string, with what it is to go-yaml: 1 and 1.0 differ once they become strings. */
export class NonStringScalar {
  readonly resolved: ResolvedScalar;

  constructor(resolved: ResolvedScalar) {
    this.resolved = resolved;
  }

  get isNull(): boolean {
    return this.resolved.kind === "null";
  }
}
