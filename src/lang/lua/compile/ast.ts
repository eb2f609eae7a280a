/** A local variable. Each has a number of its own, by which it is known in the compiled script. */
export type Variable = { readonly id: number; readonly name: string; readonly owner: FunctionBody };

export type BinaryOperator = "+" | "-" | "*" | "/" | "%" | "^" | ".." | "==" | "~=" | "<" | "<=" | ">" | ">=";
export type UnaryOperator = "-" | "not" | "#";

/** An expression. `line` is the one that an error in it is reported on. */
export type Expression =
  | { readonly type: "nil" | "true" | "false" | "vararg" }
  | { readonly type: "number"; readonly value: number }
  | { readonly type: "string"; readonly value: string }
  | { readonly type: "function"; readonly body: FunctionBody }
  | { readonly type: "local"; readonly variable: Variable }
  | { readonly type: "global"; readonly name: string; readonly line: number }
  | { readonly type: "index"; readonly object: Expression; readonly key: Expression; readonly line: number }
  | Call
  | {
      readonly type: "binary";
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
      readonly line: number;
    }
  | { readonly type: "logic"; readonly operator: "and" | "or"; readonly left: Expression; readonly right: Expression }
  | { readonly type: "unary"; readonly operator: UnaryOperator; readonly operand: Expression; readonly line: number }
  | { readonly type: "table"; readonly items: readonly TableItem[]; readonly line: number }
  | { readonly type: "parentheses"; readonly inner: Expression };

export type Call =
  | { readonly type: "call"; readonly callee: Expression; readonly args: readonly Expression[]; readonly line: number }
  | {
      readonly type: "method";
      readonly object: Expression;
      readonly name: string;
      readonly args: readonly Expression[];
      readonly line: number;
      readonly nameLine: number;
    };

/** An item of a table constructor; without a key it is the next of the list. */
export type TableItem = { readonly key: Expression | undefined; readonly value: Expression; readonly line: number };

export type Target = Extract<Expression, { type: "local" | "global" | "index" }>;

export type Block = { readonly statements: readonly Statement[] };

export type Statement =
  | { readonly type: "local"; readonly variables: readonly Variable[]; readonly values: readonly Expression[] }
  | { readonly type: "local function"; readonly variable: Variable; readonly body: FunctionBody }
  | { readonly type: "assign"; readonly targets: readonly Target[]; readonly values: readonly Expression[]; readonly line: number }
  | { readonly type: "call"; readonly call: Call }
  | { readonly type: "do"; readonly body: Block }
  | { readonly type: "while"; readonly condition: Expression; readonly body: Block; readonly line: number }
  | { readonly type: "repeat"; readonly body: Block; readonly until: Expression; readonly line: number }
  | {
      readonly type: "if";
      readonly arms: readonly { readonly condition: Expression; readonly body: Block }[];
      readonly otherwise: Block | undefined;
    }
  | {
      readonly type: "for";
      readonly variable: Variable;
      readonly from: Expression;
      readonly to: Expression;
      readonly step: Expression | undefined;
      readonly body: Block;
      readonly line: number;
    }
  | {
      readonly type: "for in";
      readonly variables: readonly Variable[];
      readonly values: readonly Expression[];
      readonly body: Block;
      readonly line: number;
    }
  | { readonly type: "return"; readonly values: readonly Expression[] }
  | { readonly type: "break" }
  | { readonly type: "goto"; readonly label: Label }
  | { readonly type: "label"; readonly label: Label };

/** A label. A goto that comes before it has one of its own, which then says where the real one was placed. */
export type Label = { readonly id: number; readonly name: string; readonly line: number; placed: Label | undefined };

export type FunctionBody = {
  readonly line: number;
  readonly parent: FunctionBody | undefined;
  parameters: readonly Variable[];
  isVararg: boolean;
  /** It says `...`; one that takes varargs and does not gets them as the table `arg`. */
  usesVararg: boolean;
  argTable: Variable | undefined;
  body: Block;
};
