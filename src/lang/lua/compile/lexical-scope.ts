import type { StatementBlock, FunctionBody, Label, LocalVariable } from "./ast.ts";
import type { LuaLexer } from "./lexer.ts";

/** Lua's limit for one function. */
const mostLocals = 200;

type PendingGoto = { readonly label: Label; readonly line: number; readonly seen: readonly BlockScope[]; locals: number };
type BlockScope = { readonly variables: LocalVariable[]; readonly labels: Map<string, Label>; readonly isLoop: boolean };
type FunctionScope = { readonly body: FunctionBody; readonly blocks: BlockScope[]; gotos: PendingGoto[]; locals: number };

/** Resolves names to local variables and gotos to labels during parsing. */
export class LexicalScope {
  readonly #lexer: LuaLexer;
  readonly #functions: FunctionScope[] = [];
  /** The visible variables of each name, innermost last. */
  readonly #visible = new Map<string, LocalVariable[]>();
  #ids = 0;

  constructor(lexer: LuaLexer) {
    this.#lexer = lexer;
  }

  get current(): FunctionBody {
    return this.#function.body;
  }

  enterFunction(isVararg: boolean): FunctionBody {
    const parent = this.#functions.at(-1)?.body;
    const { line } = this.#lexer;
    const body: FunctionBody = { line, parent, parameters: [], isVararg, usesVararg: false, argTable: undefined, body: { statements: [] } };
    this.#functions.push({ body, blocks: [], gotos: [], locals: 0 });
    this.enterBlock(false);
    return body;
  }

  leaveFunction(body: StatementBlock): FunctionBody {
    this.leaveBlock();
    const scope = this.#function;
    const [lost] = scope.gotos;
    if (lost !== undefined) this.#lexer.fail(`no visible label '${lost.label.name}' for goto at line ${lost.line}`);
    scope.body.body = body;
    this.#functions.pop();
    return scope.body;
  }

  enterBlock(isLoop: boolean): void {
    this.#function.blocks.push({ variables: [], labels: new Map(), isLoop });
  }

  leaveBlock(): void {
    const scope = this.#function;
    const block = scope.blocks.pop();
    scope.locals -= block?.variables.length ?? 0;
    for (const { name } of block?.variables ?? []) this.#visible.get(name)?.pop();
    // A pending goto moves up to the enclosing block.
    for (const goto of scope.gotos) goto.locals = Math.min(goto.locals, scope.locals);
  }

  /** Creates a variable. It is not visible until it is declared. */
  variable(name: string): LocalVariable {
    this.#ids += 1;
    return { id: this.#ids, name, owner: this.current };
  }

  declare(variables: readonly LocalVariable[]): void {
    const scope = this.#function;
    scope.blocks.at(-1)?.variables.push(...variables);
    scope.locals += variables.length;
    for (const variable of variables) this.#visible.set(variable.name, [...(this.#visible.get(variable.name) ?? []), variable]);
    if (scope.locals > mostLocals) this.#lexer.fail(`function has more than ${mostLocals} local variables`);
  }

  find(name: string): LocalVariable | undefined {
    return this.#visible.get(name)?.at(-1);
  }

  get isInLoop(): boolean {
    return this.#function.blocks.some(({ isLoop }) => isLoop);
  }

  /** The label that a goto refers to: a visible one, or a placeholder for a later one. */
  goto(name: string, line: number): Label {
    const scope = this.#function;
    for (const block of scope.blocks.toReversed()) {
      const label = block.labels.get(name);
      if (label !== undefined) return label;
    }
    this.#ids += 1;
    const label: Label = { id: this.#ids, name, line, resolved: undefined };
    scope.gotos.push({ label, line, seen: [...scope.blocks], locals: scope.locals });
    return label;
  }

  /** Defines a label and resolves the pending gotos to it. `endsBlock` when only labels follow. */
  label(name: string, endsBlock: boolean): Label {
    const scope = this.#function;
    const block = scope.blocks.at(-1)!;
    if (scope.blocks.some(({ labels }) => labels.has(name))) this.#lexer.fail(`label '${name}' already defined`);
    this.#ids += 1;
    const label: Label = { id: this.#ids, name, line: this.#lexer.lastLine, resolved: undefined };
    block.labels.set(name, label);
    const mine = scope.gotos.filter((goto) => goto.label.name === name && goto.seen.includes(block));
    scope.gotos = scope.gotos.filter((goto) => !mine.includes(goto));
    for (const goto of mine) {
      goto.label.resolved = label;
      if (goto.locals < scope.locals && !endsBlock) {
        const local = block.variables.at(-1)?.name ?? "?";
        this.#lexer.fail(`<goto ${name}> at line ${goto.line} jumps into the scope of local '${local}'`);
      }
    }
    return label;
  }

  get #function(): FunctionScope {
    return this.#functions.at(-1)!;
  }
}
