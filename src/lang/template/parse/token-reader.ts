import { GoError } from "../value/index.ts";
import type { TemplateLexer } from "./lexer.ts";
import { describe, type Token, type TokenType } from "./token.ts";

/** A parse error with its position. */
export class ParseError extends GoError {
  constructor(message: string) {
    super(message);
    this.name = "ParseError";
  }
}

/** Reads tokens with lookahead and reports errors. */
export class TokenReader {
  protected readonly lexer: TemplateLexer;
  /** Where the current action begins. */
  protected actionStart: number | undefined;
  readonly #name: string;
  /** Tokens that were put back, the next one last. */
  readonly #pending: Token[] = [];
  #lastRead: Token = { type: "EOF", pos: 0, value: "" };

  constructor(name: string, lexer: TemplateLexer) {
    this.#name = name;
    this.lexer = lexer;
  }

  /** Puts a token back. */
  protected putBack(token: Token): void {
    this.#pending.push(token);
  }

  protected next(): Token {
    if (this.#pending.length > 0) return this.#pending.pop()!;
    this.#lastRead = this.lexer.next();
    return this.#lastRead;
  }

  protected nextNonSpace(): Token {
    for (;;) {
      const token = this.next();
      if (token.type !== "space") return token;
    }
  }

  protected peek(): Token {
    if (this.#pending.length > 0) return this.#pending.at(-1)!;
    const token = this.next();
    this.#pending.push(token);
    return token;
  }

  protected peekNonSpace(): Token {
    const token = this.nextNonSpace();
    this.#pending.push(token);
    return token;
  }

  protected expect(type: TokenType, context: string): Token {
    const token = this.nextNonSpace();
    return token.type === type ? token : this.unexpected(token, context);
  }

  protected unexpected(token: Token, context: string): never {
    if (token.type !== "error") return this.fail(`unexpected ${describe(token)} in ${context}`);
    const { lexer } = this;
    const started = lexer.lineAt(this.actionStart ?? token.pos);
    if (started === lexer.lineAt(token.pos)) return this.fail(token.value);
    const where = ` started at ${this.#name}:${started}`;
    return this.fail(token.value + (token.value.endsWith(" action") ? where : ` in action${where}`));
  }

  /** The line is that of the last token read, which may come after the offending one. */
  protected fail(complaint: string): never {
    throw new ParseError(`template: ${this.#name}:${this.lexer.lineAt(this.#lastRead.pos)}: ${complaint}`);
  }
}
