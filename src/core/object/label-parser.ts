import { Fault } from "../fault/index.ts";
import { labelKeyProblems } from "./name-validation.ts";
import { invalidValueText, newRequirement, type LabelRequirement } from "./label-requirement.ts";

/** For symbols and keywords, `type` is the text itself. */
type Token = { readonly type: string; readonly text: string };

const end: Token = { type: "end", text: "" };
const symbols: ReadonlySet<string> = new Set(["(", ")", ",", "!", "=", "==", "!=", ">", "<"]);
const binary: ReadonlyMap<string, LabelRequirement["operator"]> = new Map([
  ["in", "in"],
  ["notin", "notin"],
  ["=", "="],
  ["==", "=="],
  ["!=", "!="],
  [">", "gt"],
  ["<", "lt"],
]);

/** Parses a selector. Models apimachinery pkg/labels Parse, with its messages. */
export function parseRequirements(text: string): LabelRequirement[] {
  return new Parser(tokensOf(text)).parse();
}

/** Splits a run of symbols, longest match first. A run that does not start with a symbol is an error. */
function tokensOf(text: string): Token[] {
  return [...text.matchAll(/([=!(),<>]+)|[^=!(),<> \t\r\n]+/g)].flatMap(([word, run]) =>
    run === undefined ? [wordToken(word)] : symbolTokens(run),
  );
}

function wordToken(text: string): Token {
  return { type: text === "in" || text === "notin" ? text : "identifier", text };
}

function symbolTokens(run: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < run.length;) {
    const two = run.slice(at, at + 2);
    const text = symbols.has(two) ? two : run[at]!;
    tokens.push({ type: text, text });
    at += text.length;
  }
  return tokens;
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): LabelRequirement[] {
    const found: LabelRequirement[] = [];
    if (this.#peek().type === "end") return found;
    if (!this.#startsRequirement()) throw refusal(this.#peek(), ", expected: !, identifier, or 'end of string'");
    for (;;) {
      found.push(this.#requirement());
      const token = this.#take();
      if (token.type === "end") return found;
      if (token.type !== ",") throw refusal(token, ", expected: ',' or 'end of string'");
      if (!this.#startsRequirement()) throw refusal(this.#peek(), ", expected: identifier after ','");
    }
  }

  #requirement(): LabelRequirement {
    try {
      return this.#readRequirement();
    } catch (cause) {
      throw new Fault("unable to parse requirement", cause, { final: true });
    }
  }

  #readRequirement(): LabelRequirement {
    const absent = this.#peek().type === "!";
    if (absent) this.#take();
    const token = this.#take();
    if (!isWord(token)) throw refusal(token, ", expected: identifier");
    const bad = labelKeyProblems(token.text);
    if (bad.length > 0) throw new Fault(invalidValueText("<nil>", token.text, bad.join("; ")));
    const next = this.#peek().type;
    if (absent) return newRequirement(token.text, "!", []);
    if (next === "end" || next === ",") return newRequirement(token.text, "exists", []);
    return this.#comparison(token.text);
  }

  #comparison(key: string): LabelRequirement {
    const token = this.#take();
    const operator = binary.get(token.type);
    if (operator === undefined) throw refusal(token, ", expected: in, notin, =, ==, !=, gt, lt");
    const values = operator === "in" || operator === "notin" ? this.#list() : this.#exactValue();
    return newRequirement(key, operator, [...new Set(values)].toSorted());
  }

  #exactValue(): string[] {
    const next = this.#peek();
    if (next.type === "end" || next.type === ",") return [""];
    if (!isWord(this.#take())) throw refusal(next, ", expected: identifier");
    return [next.text];
  }

  #list(): string[] {
    const open = this.#take();
    if (open.type !== "(") throw refusal(open, " expected: '('");
    const first = this.#peek();
    if (first.type !== ")" && first.type !== "," && !isWord(first)) throw refusal(first, ", expected: ',', ')' or identifier");
    const values: string[] = [];
    for (;;) {
      const token = this.#take();
      if (isWord(token)) {
        values.push(token.text);
        const next = this.#peek();
        if (next.type !== "," && next.type !== ")") throw refusal(next, ", expected: ',' or ')'");
        if (this.#take().type === ")") return values;
        if (this.#peek().type === ")") values.push("");
      } else if (token.type === ",") values.push("");
      else if (token.type === ")") return values.length === 0 ? [""] : values;
      else throw refusal(token, ", expected: ',', or identifier");
    }
  }

  #startsRequirement(): boolean {
    return isWord(this.#peek()) || this.#peek().type === "!";
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? end;
  }

  #take(): Token {
    const token = this.#peek();
    this.#at++;
    return token;
  }
}

/** `in` and `notin` are also valid names and values. */
function isWord({ type }: Token): boolean {
  return type === "identifier" || type === "in" || type === "notin";
}

function refusal(found: Token, expected: string): Fault {
  return new Fault(`found '${found.text}'${expected}`, undefined, { final: true });
}
