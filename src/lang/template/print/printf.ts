import { Integer, typeName, type GoValue } from "../value/index.ts";
import { sprintValue } from "./print.ts";
import { Printer } from "./printer.ts";
import { noFlags, type Flags } from "./verb.ts";

const largest = 1_000_000;
const printer = new Printer();

/** Models fmt.Sprintf, with its messages for bad formats and operands. */
export function sprintf(format: string, values: readonly GoValue[]): string {
  if (!format.includes("%")) return format + extra(values, 0);
  return new Formatter(format, values).run();
}

/** Formats an operand of a verb without flags, the common case. */
function plainly(value: GoValue, verb: "s" | "v" | "d"): string {
  if (verb !== "d" && typeof value === "string") return value;
  return verb === "v" ? sprintValue(value) : printer.argument(value, verb);
}

function extra(values: readonly GoValue[], from: number): string {
  if (from >= values.length) return "";
  const shown = values.slice(from).map((value) => {
    return value === null || value === undefined ? "<nil>" : `${typeName(value)}=${sprintValue(value)}`;
  });
  return `%!(EXTRA ${shown.join(", ")})`;
}

/** One pass over a format. Models fmt.pp.doPrintf. */
class Formatter {
  readonly #format: string;
  readonly #values: readonly GoValue[];
  #at = 0;
  #operand = 0;
  #reordered = false;
  #goodIndex = true;
  #afterIndex = false;
  #text = "";

  constructor(format: string, values: readonly GoValue[]) {
    this.#format = format;
    this.#values = values;
  }

  run(): string {
    for (;;) {
      const percent = this.#format.indexOf("%", this.#at);
      if (percent < 0) {
        this.#text += this.#format.slice(this.#at);
        break;
      }
      this.#text += this.#format.slice(this.#at, percent);
      this.#at = percent + 1;
      if (!this.#verb()) break;
    }
    return this.#reordered ? this.#text : this.#text + extra(this.#values, this.#operand);
  }

  /** Parses one verb and formats its operand. Returns false at the end of the format. */
  #verb(): boolean {
    const next = this.#format[this.#at];
    if (this.#operand < this.#values.length && (next === "s" || next === "v" || next === "d")) {
      this.#at++;
      this.#text += plainly(this.#values[this.#operand++], next);
      return true;
    }
    this.#goodIndex = true;
    this.#afterIndex = false;
    const flags = this.#readFlags();
    this.#readIndex();
    const width = this.#readWidth(flags);
    const precision = this.#readPrecision();
    if (!this.#afterIndex) this.#readIndex();
    const point = this.#format.codePointAt(this.#at);
    if (point === undefined) {
      this.#text += "%!(NOVERB)";
      return false;
    }
    const verb = String.fromCodePoint(point);
    this.#at += verb.length;
    this.#text += this.#printed(verb, { ...flags, ...width, precision });
    return true;
  }

  #printed(verb: string, flags: Flags): string {
    if (verb === "%") return "%";
    if (!this.#goodIndex) return `%!${verb}(BADINDEX)`;
    if (this.#operand >= this.#values.length) return `%!${verb}(MISSING)`;
    if (verb === "v" || verb === "w") {
      flags.sharpV = flags.sharp;
      flags.sharp = false;
      flags.plusV = flags.plus;
      flags.plus = false;
    }
    return new Printer(flags).argument(this.#values[this.#operand++], verb);
  }

  #readFlags(): Flags {
    const found = /[#0+\- ]*/y;
    found.lastIndex = this.#at;
    const text = found.exec(this.#format)?.[0] ?? "";
    this.#at += text.length;
    return {
      ...noFlags,
      sharp: text.includes("#"),
      zero: text.includes("0"),
      plus: text.includes("+"),
      minus: text.includes("-"),
      space: text.includes(" "),
    };
  }

  #readWidth(flags: Flags): Pick<Flags, "width" | "minus" | "zero"> {
    const { minus, zero } = flags;
    if (this.#format[this.#at] !== "*") {
      const width = this.#readNumber();
      if (this.#afterIndex && width !== undefined) this.#goodIndex = false;
      return { width, minus, zero };
    }
    this.#at++;
    this.#afterIndex = false;
    const width = this.#numberOperand();
    if (width === undefined) this.#text += "%!(BADWIDTH)";
    return width !== undefined && width < 0 ? { width: -width, minus: true, zero: false } : { width, minus, zero };
  }

  #readPrecision(): number | undefined {
    if (this.#format[this.#at] !== "." || this.#at + 1 >= this.#format.length) return undefined;
    this.#at++;
    if (this.#afterIndex) this.#goodIndex = false;
    this.#readIndex();
    if (this.#format[this.#at] !== "*") return this.#readNumber() ?? 0;
    this.#at++;
    this.#afterIndex = false;
    const precision = this.#numberOperand();
    if (precision !== undefined && precision >= 0) return precision;
    this.#text += "%!(BADPREC)";
    return undefined;
  }

  #readNumber(): number | undefined {
    const found = /\d*/y;
    found.lastIndex = this.#at;
    const digits = found.exec(this.#format)?.[0] ?? "";
    const number = Number(digits);
    // A number that is far too long consumes the rest of the format.
    if (number > largest * 10) {
      this.#at = this.#format.length;
      return undefined;
    }
    this.#at += digits.length;
    return digits === "" ? undefined : number;
  }

  #numberOperand(): number | undefined {
    const value = this.#values[this.#operand];
    if (this.#operand < this.#values.length) this.#operand++;
    if (!(value instanceof Integer) || typeof value.value !== "number") return undefined;
    return Math.abs(value.value) > largest ? undefined : value.value;
  }

  /** Parses an operand index such as `[3]`. */
  #readIndex(): void {
    if (this.#format[this.#at] !== "[") {
      this.#afterIndex = false;
      return;
    }
    this.#reordered = true;
    const close = this.#format.indexOf("]", this.#at + 1);
    // An unterminated index is skipped at its bracket.
    if (this.#format.length - this.#at < 3 || close < 0) {
      this.#at++;
      this.#goodIndex = false;
      this.#afterIndex = false;
      return;
    }
    const digits = this.#format.slice(this.#at + 1, close);
    this.#at = close + 1;
    const index = /^\d+$/.test(digits) ? Number(digits) - 1 : undefined;
    this.#afterIndex = index !== undefined;
    if (index !== undefined && index >= 0 && index < this.#values.length) this.#operand = index;
    else this.#goodIndex = false;
  }
}
