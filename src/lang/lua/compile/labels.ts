import type { StatementBlock, Label, Statement } from "./ast.ts";

/** The label that a goto resolves to. */
export function resolvedLabel(label: Label): Label {
  return label.resolved ?? label;
}

/** The labels that the gotos of a statement refer to, nested functions excluded. */
function gotosIn(statement: Statement): Set<Label> {
  const found = new Set<Label>();
  collect(statement, found);
  return found;
}

function collect(statement: Statement, found: Set<Label>): void {
  switch (statement.type) {
    case "goto":
      found.add(resolvedLabel(statement.label));
      return;
    case "if":
      for (const { body } of statement.arms) collectAll(body, found);
      if (statement.otherwise !== undefined) collectAll(statement.otherwise, found);
      return;
    case "do":
    case "while":
    case "repeat":
    case "for":
    case "for in":
      collectAll(statement.body, found);
      return;
    default:
  }
}

function collectAll({ statements }: StatementBlock, found: Set<Label>): void {
  for (const statement of statements) collect(statement, found);
}

/** A label of a block: its index, the index of the first goto before it, and whether a goto comes after it. */
export type LabelPosition = { readonly label: Label; readonly at: number; readonly from: number; readonly comesBack: boolean };

export function labelPositions(statements: readonly Statement[]): LabelPosition[] {
  if (!statements.some(({ type }) => type === "label")) return [];
  const gotos = statements.map(gotosIn);
  return statements.flatMap((statement, at) => {
    if (statement.type !== "label") return [];
    const { label } = statement;
    const from = gotos.findIndex((targets, index) => index < at && targets.has(label));
    const comesBack = gotos.some((targets, index) => index > at && targets.has(label));
    return [{ label, at, from: from < 0 ? at : from, comesBack }];
  });
}

/** Whether jumps lead into a loop that another jump forms. Nested blocks cannot express those. */
export function areTangled(labels: readonly LabelPosition[]): boolean {
  return labels.some((back) => back.comesBack && labels.some(({ from, at }) => from < back.at && at > back.at));
}
