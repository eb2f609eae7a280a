import type { ComponentChildren } from "preact";

type Props = {
  /** What the rows are. */
  readonly label: string;
  /** A class for the widths of columns. */
  readonly class: string;
  readonly columns: readonly string[];
  /** How many rows there are beyond those that are drawn. Default 0. */
  readonly more?: number;
  readonly children: ComponentChildren;
};

/** A table of rows, which scrolls sideways by itself where the page is narrow. */
export function ListTable({ label, class: name, columns, more = 0, children }: Props) {
  return (
    <div class="table-frame" tabIndex={0} role="region" aria-label={label}>
      <table class={`list ${name}`}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
      {more > 0 ? <p class="more quiet">{more} more: filter to find them.</p> : null}
    </div>
  );
}
