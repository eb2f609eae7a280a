import type { ResolvedScalar } from "../parse/resolve-scalar.ts";

/** A scalar other than a string, as go-yaml resolves it: 1 and 1.0 become different strings. */
export class NonStringScalar {
  readonly resolved: ResolvedScalar;

  constructor(resolved: ResolvedScalar) {
    this.resolved = resolved;
  }

  get isNull(): boolean {
    return this.resolved.kind === "null";
  }
}
