import type { GoValue } from "../value/index.ts";

/** What an element of a range was found in. */
export type RangeSource = { readonly value: GoValue };

export type TemplateVariable = {
  readonly name: string;
  value: GoValue;
  /** Nothing unless it is an element of a range that is being walked over. */
  foundIn: RangeSource | undefined;
};

/** What templates see at one place while they are executed: dot and the variables, those declared last at the end. */
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

  /** How many there are, for `leave`. */
  get mark(): number {
    return this.#declared.length;
  }

  /** Forgets those declared since there were so many. */
  leave(mark: number): void {
    this.#declared.length = mark;
  }
}
