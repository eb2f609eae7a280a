import type { StatementBlock, Label, Statement } from "./ast.ts";

/** The label that a goto goes to. */
export function resolvedLabel(label: Label): Label {
  return label.resolved ?? label;
}

/** The labels that gotos in a statement go to, those in functions within it aside. */
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

/** A label of a block: where it stands, where the first goto to it stands before that, and whether one comes back to it. */
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

/** Jumps that lead into what another jump repeats: blocks within blocks cannot say them. */
export function areTangled(labels: readonly LabelPosition[]): boolean {
  return labels.some((back) => back.comesBack && labels.some(({ from, at }) => from < back.at && at > back.at));
}
