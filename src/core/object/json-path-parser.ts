import { Fault } from "../fault/index.ts";
import { unquote } from "./unquote.ts";

/** One part of a template or of an action. An action is a list: each part continues from the values that the previous one found. */
export type JsonPathNode =
  | { readonly type: "list"; readonly nodes: readonly JsonPathNode[]; readonly at: number }
  | { readonly type: "literal"; readonly value: string | number | boolean }
  | { readonly type: "field"; readonly name: string }
  | {
      readonly type: "slice";
      readonly from: number | undefined;
      readonly to: number | undefined;
      readonly step: number | undefined;
      readonly one: boolean;
    }
  | { readonly type: "union"; readonly lists: readonly JsonPathListNode[] }
  | { readonly type: "filter"; readonly left: JsonPathListNode; readonly operator: string; readonly right: JsonPathListNode }
  | { readonly type: "wildcard" }
  | { readonly type: "recursive" }
  | { readonly type: "word"; readonly word: string };

export type JsonPathListNode = Extract<JsonPathNode, { type: "list" }>;

/** Parses a template: text, and actions in braces. Errors name their position. Models client-go util/jsonpath parser.go */
export function parseTemplate(text: string): JsonPathNode[] {
  return new Parser(text).template();
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  template(): JsonPathNode[] {
    const nodes: JsonPathNode[] = [];
    while (this.#at < this.#text.length) {
      const open = this.#text.indexOf("{", this.#at);
      const literal = this.#text.slice(this.#at, open < 0 ? undefined : open);
      if (literal !== "") nodes.push({ type: "literal", value: literal });
      if (open < 0) break;
      this.#at = open + 1;
      nodes.push(this.#action(open));
    }
    return nodes;
  }

  #action(open: number): JsonPathListNode {
    const nodes: JsonPathNode[] = [];
    for (;;) {
      if (this.#takes("}")) return { type: "list", nodes, at: open };
      if (this.#takes("[?(")) nodes.push(this.#filter());
      else if (this.#takes("..")) nodes.push(...this.#recursive(nodes));
      else nodes.push(...this.#part());
    }
  }

  #part(): readonly JsonPathNode[] {
    const start = this.#at;
    const character = this.#next();
    if (character === "" || character === "\n" || character === "\r") throw this.#refusal("unclosed action", start);
    if (character === " " || character === "@" || character === "$") return [];
    if (character === "[") return this.#brackets(start);
    if (character === '"' || character === "'") return [{ type: "literal", value: this.#quoted(character, start) }];
    if (character === ".") return [this.#field()];
    if (/[-+\d]/.test(character)) return [this.#number(start)];
    if (/[\p{L}\d_]/u.test(character)) return [this.#word(start)];
    const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
    throw this.#refusal(`unrecognized character in action: U+${code} '${character}'`, start);
  }

  #recursive(before: readonly JsonPathNode[]): JsonPathNode[] {
    if (before.at(-1)?.type === "recursive") throw this.#refusal("invalid multiple recursive descent", this.#at - 2);
    const recursive: JsonPathNode = { type: "recursive" };
    return /^[\p{L}\d_]/u.test(this.#text.slice(this.#at)) ? [recursive, this.#field()] : [recursive];
  }

  /** A name ends at the first special character. A backslash escapes one. */
  #field(): JsonPathNode {
    const [name = ""] = /^(?:\\[^]|[^ \t\r\n.,[\]$@{}\\])*/u.exec(this.#text.slice(this.#at)) ?? [];
    this.#at += name.length;
    return name === "*" ? { type: "wildcard" } : { type: "field", name: name.replaceAll("\\", "") };
  }

  #word(start: number): JsonPathNode {
    const [word = ""] = /^[^ \t\r\n.,[\]$@{}]*/.exec(this.#text.slice(start)) ?? [];
    this.#at = start + word.length;
    return word === "true" || word === "false" ? { type: "literal", value: word === "true" } : { type: "word", word };
  }

  #number(start: number): JsonPathNode {
    const [text = ""] = /^[-+]?[\d.]*/.exec(this.#text.slice(start)) ?? [];
    this.#at = start + text.length;
    if (!/^[-+]?(\d+(?:\.\d*)?|\.\d+)$/.test(text)) throw this.#refusal(`cannot parse number ${text}`, start);
    return { type: "literal", value: Number(text) };
  }

  #quoted(quote: string, start: number): string {
    for (;;) {
      const character = this.#next();
      if (character === "" || character === "\n") throw this.#refusal("unterminated quoted string", start);
      if (character === quote && this.#text[this.#at - 2] !== "\\") break;
    }
    const source = this.#text.slice(start, this.#at);
    const value = unquote(source);
    if (value === undefined) throw this.#refusal(`unquote string ${source} error invalid syntax`, start);
    return value;
  }

  #brackets(start: number): readonly JsonPathNode[] {
    const [inside] = /^[^\]\n]*(?=\])/.exec(this.#text.slice(this.#at)) ?? [];
    if (inside === undefined) throw this.#refusal("unterminated array", start);
    this.#at += inside.length + 1;
    const members = inside.split(",");
    if (members.length > 1) return [{ type: "union", lists: members.map((member) => this.#inner(`[${member.trim()}]`, start)) }];
    const [, key] = /^'([^']*)'$/.exec(inside) ?? [];
    if (key !== undefined) return this.#inner(`.${key}`, start).nodes;
    return [this.#slice(inside, start)];
  }

  #slice(inside: string, start: number): JsonPathNode {
    const found = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/.exec(inside === "*" ? ":" : inside);
    if (found === null) throw this.#refusal(`invalid array index ${inside}`, start);
    const [from, to, step] = found.slice(1).map((part) => {
      const digits = part?.replace(":", "") ?? "";
      if (digits === "-") throw this.#refusal(`array index ${digits} is not a number`, start);
      return digits === "" ? undefined : Number(digits);
    });
    const one = found[2] === undefined;
    return { type: "slice", from, to: one ? (from ?? 0) + 1 : to, step, one };
  }

  /** The filter ends at the first closing parenthesis outside of a quoted string. */
  #filter(): JsonPathNode {
    const start = this.#at;
    let quote = "";
    let closed = false;
    for (;;) {
      const character = this.#next();
      if (character === "" || character === "\n") throw this.#refusal("unterminated filter", start - 3);
      if (character === '"' || character === "'") {
        if (quote === "") quote = character;
        else if (character === quote && this.#text[this.#at - 2] !== "\\") closed = true;
      }
      if (character === ")" && (quote !== "") === closed) break;
    }
    const inside = this.#text.slice(start, this.#at - 1);
    if (!this.#takes("]")) throw this.#refusal("unclosed array expect ]", this.#at);
    const [, left, operator, right] = /^([^!<>=]+)([!<>=]+)(.+)$/.exec(inside) ?? [];
    const nothing: JsonPathListNode = { type: "list", nodes: [], at: start };
    if (left === undefined) return { type: "filter", left: this.#inner(inside, start), operator: "exists", right: nothing };
    return { type: "filter", left: this.#inner(left, start), operator: operator!, right: this.#inner(right!, start) };
  }

  /** Parses a part of this text as an action of its own. */
  #inner(text: string, at: number): JsonPathListNode {
    try {
      const [action] = new Parser(`{${text}}`).template();
      if (action?.type === "list") return action;
    } catch (cause) {
      throw this.#refusal(cause instanceof Fault ? cause.message.replace(/ at character \d+ of .*$/s, "") : String(cause), at);
    }
    throw this.#refusal(`cannot parse ${text}`, at);
  }

  #next(): string {
    const character = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
    if (this.#at >= this.#text.length) return "";
    this.#at += character.length;
    return character;
  }

  #takes(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #refusal(what: string, at: number): Fault {
    return new Fault(`${what} at character ${at + 1} of ${this.#text}`, undefined, { final: true });
  }
}
