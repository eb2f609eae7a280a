/** A local variable. The compiled script refers to it by its id. */
export type LocalVariable = { readonly id: number; readonly name: string; readonly owner: FunctionBody };

export type BinaryOperator = "+" | "-" | "*" | "/" | "%" | "^" | ".." | "==" | "~=" | "<" | "<=" | ">" | ">=";
export type UnaryOperator = "-" | "not" | "#";

/** An expression. `line` is the line that errors report. */
export type LuaExpression =
  | { readonly type: "nil" | "true" | "false" | "vararg" }
  | { readonly type: "number"; readonly value: number }
  | { readonly type: "string"; readonly value: string }
  | { readonly type: "function"; readonly body: FunctionBody }
  | { readonly type: "local"; readonly variable: LocalVariable }
  | { readonly type: "global"; readonly name: string; readonly line: number }
  | { readonly type: "index"; readonly object: LuaExpression; readonly key: LuaExpression; readonly line: number }
  | FunctionCall
  | {
      readonly type: "binary";
      readonly operator: BinaryOperator;
      readonly left: LuaExpression;
      readonly right: LuaExpression;
      readonly line: number;
    }
  | { readonly type: "logic"; readonly operator: "and" | "or"; readonly left: LuaExpression; readonly right: LuaExpression }
  | { readonly type: "unary"; readonly operator: UnaryOperator; readonly operand: LuaExpression; readonly line: number }
  | { readonly type: "table"; readonly items: readonly TableItem[]; readonly line: number }
  | { readonly type: "parentheses"; readonly inner: LuaExpression };

export type FunctionCall =
  | { readonly type: "call"; readonly callee: LuaExpression; readonly args: readonly LuaExpression[]; readonly line: number }
  | {
      readonly type: "method";
      readonly object: LuaExpression;
      readonly name: string;
      readonly args: readonly LuaExpression[];
      readonly line: number;
      readonly nameLine: number;
    };

/** An item of a table constructor. An item without a key goes to the list part. */
export type TableItem = { readonly key: LuaExpression | undefined; readonly value: LuaExpression; readonly line: number };

export type AssignmentTarget = Extract<LuaExpression, { type: "local" | "global" | "index" }>;

export type StatementBlock = { readonly statements: readonly Statement[] };

export type Statement =
  | { readonly type: "local"; readonly variables: readonly LocalVariable[]; readonly values: readonly LuaExpression[] }
  | { readonly type: "local function"; readonly variable: LocalVariable; readonly body: FunctionBody }
  | {
      readonly type: "assign";
      readonly targets: readonly AssignmentTarget[];
      readonly values: readonly LuaExpression[];
      readonly line: number;
    }
  | { readonly type: "call"; readonly call: FunctionCall }
  | { readonly type: "do"; readonly body: StatementBlock }
  | { readonly type: "while"; readonly condition: LuaExpression; readonly body: StatementBlock; readonly line: number }
  | { readonly type: "repeat"; readonly body: StatementBlock; readonly until: LuaExpression; readonly line: number }
  | {
      readonly type: "if";
      readonly arms: readonly { readonly condition: LuaExpression; readonly body: StatementBlock }[];
      readonly otherwise: StatementBlock | undefined;
    }
  | {
      readonly type: "for";
      readonly variable: LocalVariable;
      readonly from: LuaExpression;
      readonly to: LuaExpression;
      readonly step: LuaExpression | undefined;
      readonly body: StatementBlock;
      readonly line: number;
    }
  | {
      readonly type: "for in";
      readonly variables: readonly LocalVariable[];
      readonly values: readonly LuaExpression[];
      readonly body: StatementBlock;
      readonly line: number;
    }
  | { readonly type: "return"; readonly values: readonly LuaExpression[] }
  | { readonly type: "break" }
  | { readonly type: "goto"; readonly label: Label }
  | { readonly type: "label"; readonly label: Label };

/** A label. A forward goto gets a placeholder whose `resolved` is set when the label is found. */
export type Label = { readonly id: number; readonly name: string; readonly line: number; resolved: Label | undefined };

export type FunctionBody = {
  readonly line: number;
  readonly parent: FunctionBody | undefined;
  parameters: readonly LocalVariable[];
  isVararg: boolean;
  /** The body uses `...`. A vararg function that does not use it gets the table `arg`. */
  usesVararg: boolean;
  argTable: LocalVariable | undefined;
  body: StatementBlock;
};
