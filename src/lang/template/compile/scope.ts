import type { GoType } from "../value/index.ts";

/**
 * A value in compiled code: a JavaScript expression without side effects, and what is known of it.
 */
export interface Expression {
  readonly code: string;
  /** Its Go type, where that is certain. */
  readonly type?: GoType | undefined;
  /** May it be null or undefined? */
  readonly maybeNil: boolean;
  /** It came through a pipeline: a null in it counts as the invalid value. */
  readonly piped?: boolean | undefined;
  /** Gives code for what it was found in, and for the name under which: only error texts ask, for the declared type. */
  readonly foundIn?: (() => string) | undefined;
}

/** The names that templates see at one place: dot and the variables. */
export class Scope {
  readonly dot: Expression;
  private readonly parent: Scope | undefined;
  private readonly variables = new Map<string, Expression>();

  constructor(dot: Expression, parent?: Scope) {
    this.dot = dot;
    this.parent = parent;
  }

  inner(dot: Expression = this.dot): Scope {
    return new Scope(dot, this);
  }

  declare(name: string, variable: Expression): void {
    this.variables.set(name, variable);
  }

  find(name: string): Expression | undefined {
    return this.variables.get(name) ?? this.parent?.find(name);
  }
}

/** The code of a value whose null counts as the invalid value if it came through a pipeline. */
export function settled({ code, maybeNil, piped }: Expression): string {
  return maybeNil && piped === true ? `(${code}===null?undefined:${code})` : code;
}
