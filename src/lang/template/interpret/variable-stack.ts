import type { GoValue } from "../value/index.ts";

/** The value that a range iterates over. */
export type RangeSource = { readonly value: GoValue };

export type TemplateVariable = {
  readonly name: string;
  value: GoValue;
  /** Set while the variable is an element of a range. */
  foundIn: RangeSource | undefined;
};

/** Dot and the variables in scope, the last declared at the end. */
export class VariableStack {
  dot: GoValue;
  dotFoundIn: RangeSource | undefined;
  readonly #declared: TemplateVariable[];

  constructor(dot: GoValue) {
    this.dot = dot;
    this.#declared = [{ name: "$", value: dot, foundIn: undefined }];
  }

  declare(name: string, value: GoValue): void {
    this.#declared.push({ name, value, foundIn: undefined });
  }

  find(name: string): TemplateVariable | undefined {
    for (let index = this.#declared.length - 1; index >= 0; index--) {
      const variable = this.#declared[index];
      if (variable?.name === name) return variable;
    }
    return undefined;
  }

  /** The number of variables, for `leave`. */
  get mark(): number {
    return this.#declared.length;
  }

  /** Drops the variables declared since `mark`. */
  leave(mark: number): void {
    this.#declared.length = mark;
  }
}
