import { pathOf, type CellReading, type FleetProfileItem } from "../../../src/dashboard/api/index.ts";
import { StateShape } from "../../component/state-badge.tsx";
import type { GridSizes } from "./grid-window.ts";
import { countsText, worstOf } from "./matrix-lines.ts";
import { focusPlace } from "./matrix-row.tsx";

type HeadProps = {
  readonly columns: readonly (readonly [at: number, column: FleetProfileItem])[];
  readonly clusters: number;
  readonly reading: CellReading;
  readonly sizes: GridSizes;
  /** The number of the heading that has the focus. */
  readonly active: number | undefined;
  readonly context: string;
};

/** The names of profiles, which stay when the matrix is scrolled. */
export function MatrixHead({ columns, clusters, reading, sizes, active, context }: HeadProps) {
  return (
    <div role="row" aria-rowindex={1} class="matrix-headings" data-line="" style={{ height: `${sizes.head}px` }}>
      <div
        role="columnheader"
        class="matrix-corner quiet"
        aria-colindex={1}
        style={{ width: `${sizes.side}px` }}
        {...focusPlace(0, active === 0)}
      >
        <span role="status">{reading === "reading" ? "still reading…" : ""}</span>
        <span>{clusters === 1 ? "1 cluster" : `${clusters.toLocaleString()} clusters`}</span>
      </div>
      {columns.map(([at, column]) => (
        <div
          key={column.key}
          role="columnheader"
          class="matrix-heading"
          aria-colindex={at + 2}
          style={{ left: `${sizes.side + at * sizes.column}px`, width: `${sizes.column}px` }}
        >
          <ColumnLink column={column} at={at} reading={reading} isActive={active === at + 1} context={context} />
        </div>
      ))}
    </div>
  );
}

type LinkProps = {
  readonly column: FleetProfileItem;
  readonly at: number;
  readonly reading: CellReading;
  readonly isActive: boolean;
  readonly context: string;
};

function ColumnLink({ column, at, reading, isActive, context }: LinkProps) {
  const { counts, message, name } = column;
  const worst = message === undefined ? worstOf(counts) : "failed";
  // What is not read may be worse than what is.
  const state = reading === "read" || worst === "failed" ? worst : undefined;
  const rest = reading === "read" ? "" : `others ${reading === "reading" ? "are not read yet" : "may not be read"}`;
  const text = [message, countsText(counts), rest].filter((part) => part !== undefined && part !== "").join("; ");
  return (
    <a href={columnPath(column, context)} aria-label={text === "" ? name : `${name}: ${text}`} {...focusPlace(at + 1, isActive)}>
      <span class="column-name">{name}</span>
      <span class={`state state-${state ?? "gone"}`}>{state === undefined ? null : <StateShape state={state} />}</span>
    </a>
  );
}

/** A column of a trigger stands for all profiles that it has generated: of these the flow of events is shown. */
export function columnPath({ kind, namespace, name }: Pick<FleetProfileItem, "kind" | "namespace" | "name">, context: string): string {
  if (kind === "EventTrigger") return pathOf({ type: "events", context });
  return pathOf({ type: "profile", context, kind, namespace, name });
}
