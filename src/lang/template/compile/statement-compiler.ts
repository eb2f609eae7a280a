import { types } from "../value/index.ts";
import type { ActionNode, BranchNode, ParseNodeList, ParseNode, PipeNode, TemplateNode } from "../parse/node.ts";
import type { CodeWriter } from "./code-writer.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import { settledCode, type CompiledExpression, type CompileScope } from "./compile-scope.ts";

/** Compiles actions, text and branches. Models state.walk. */
export class StatementCompiler {
  readonly #code: CodeWriter;
  readonly #expressions: ExpressionCompiler;

  constructor(code: CodeWriter, expressions: ExpressionCompiler) {
    this.#code = code;
    this.#expressions = expressions;
  }

  list({ nodes }: ParseNodeList): void {
    for (const node of nodes) this.#code.statement(() => this.#statement(node));
  }

  #statement(node: ParseNode): void {
    switch (node.type) {
      case "text":
        return this.#code.line(`o+=${this.#code.text(node.text)};`);
      case "action":
        return this.#action(node);
      case "if":
      case "with":
        return this.#branch(node);
      case "range":
        return this.#range(node);
      case "template":
        return this.#template(node);
      case "break":
      case "continue":
        return this.#code.line(`${node.type};`);
      default:
        throw new TypeError(`a ${node.type} is no statement`);
    }
  }

  #action(node: ActionNode): void {
    const value = this.#expressions.pipeline(node.pipe);
    if (node.pipe.declared.length > 0) return;
    const { code } = value;
    const printed = `R.print(${code},${this.#code.node(node)},entry)`;
    this.#code.line(value.type === types.string ? `o+=${code};` : `o+=typeof ${code}==="string"?${code}:${printed};`);
  }

  #branch(node: BranchNode): void {
    const outer = this.#expressions.scope;
    const scope = outer.inner();
    this.#expressions.scope = scope;
    const value = this.#expressions.pipeline(node.pipe);
    const dot = node.type === "with" ? this.#kept(value) : outer.dot;
    this.#code.line(`if(${this.#expressions.truth(value)}){`);
    this.#body(node.list, scope.inner(dot));
    if (node.elseList !== undefined) {
      this.#code.line("}else{");
      this.#body(node.elseList, scope.inner());
    }
    this.#code.line("}");
    this.#expressions.scope = outer;
  }

  #body(list: ParseNodeList, scope: CompileScope): void {
    this.#expressions.scope = scope;
    this.list(list);
  }

  /** Stores a value in a temporary, as dot or as the operand of a range. */
  #kept(value: CompiledExpression): CompiledExpression {
    const name = this.#code.temporary();
    this.#code.line(`${name}=${settledCode(value)};`);
    return { code: name, type: value.type, maybeNil: value.maybeNil };
  }

  #range(node: BranchNode): void {
    const outer = this.#expressions.scope;
    const scope = outer.inner();
    this.#expressions.scope = scope;
    const whole = this.#kept(this.#expressions.pipeline(node.pipe));
    const [walk, turn, element] = [this.#code.temporary(), this.#code.temporary(), this.#code.temporary()];
    this.#code.line(`${walk}=R.rangeOver(${whole.code},${node.pipe.declared.length},${this.#expressions.currentNode});`);
    this.#code.line(`if(${walk}.count>0){for(${turn}=0;${turn}<${walk}.count;${turn}++){`);
    this.#code.line(
      `if(--x.budget<0||o.length>x.maxOutput)x.check(o.length,${this.#code.node(node)});${element}=${walk}.element(${turn});`,
    );
    const foundIn = () => `${whole.code},""`;
    const dot: CompiledExpression = { code: element, maybeNil: true, foundIn };
    const inner = scope.inner(dot);
    this.#bind(node.pipe, inner, { element: dot, key: `${walk}.key(${turn})` });
    this.#body(node.list, inner);
    this.#code.line("}}");
    if (node.elseList !== undefined) {
      this.#code.line("else{");
      this.#body(node.elseList, scope.inner());
      this.#code.line("}");
    }
    this.#expressions.scope = outer;
  }

  /** Sets the variables of a range. A single variable is the element; of two the first is the key. */
  #bind({ declared }: PipeNode, scope: CompileScope, turn: { readonly element: CompiledExpression; readonly key: string }): void {
    for (const [index, { path }] of declared.entries()) {
      const [name = ""] = path;
      const variable = scope.find(name);
      if (variable === undefined) continue;
      const isElement = index === declared.length - 1;
      this.#code.line(`${variable.code}=${isElement ? turn.element.code : turn.key};`);
      const foundIn = isElement ? turn.element.foundIn : undefined;
      scope.declare(name, { code: variable.code, maybeNil: true, foundIn });
    }
  }

  #template(node: TemplateNode): void {
    this.#expressions.at(node);
    const entry = this.#code.temporary();
    const code = this.#code;
    code.line(`${entry}=R.lookup(x,${code.text(node.name)},${code.node(node)});`);
    const dot = node.pipe === undefined ? "undefined" : settledCode(this.#expressions.pipeline(node.pipe));
    code.line(`n=-1;o+=R.enter(x,${entry},${dot});`);
  }
}
