import type { GraphEdge, GraphNode } from "./graph-data.ts";
import { fullText } from "./picture.ts";
import { visible } from "./shorten.ts";

/** So many nodes around the focused one are there for those who hear the page. */
const reach = 20;
const maxNamed = 5;

type NodeOptionsProps = {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly focused?: string;
  readonly selected?: string;
  readonly idOf: (at: number) => string;
};

/** The nodes as options of a list, which is heard instead of the picture. */
export function NodeOptions({ nodes, edges, focused, selected, idOf }: NodeOptionsProps) {
  const middle = Math.max(
    0,
    nodes.findIndex(({ id }) => id === focused),
  );
  const titles = new Map(nodes.map(({ id, title }) => [id, title]));
  const first = Math.max(0, middle - reach);
  return (
    <>
      {nodes.slice(first, middle + reach + 1).map((node, index) => (
        <div
          key={node.id}
          id={idOf(first + index)}
          role="option"
          class="graph-option"
          aria-selected={node.id === selected}
          aria-setsize={nodes.length}
          aria-posinset={first + index + 1}
        >
          {visible(fullText(node))}
          {node.id === focused ? visible(placeOf(node.id, edges, titles)) : ""}
        </div>
      ))}
    </>
  );
}

/** What a node comes after, and what comes after it. */
function placeOf(id: string, edges: readonly GraphEdge[], titles: ReadonlyMap<string, string>): string {
  const list = (what: string, ids: readonly string[]) => {
    if (ids.length === 0) return "";
    const more = ids.length > maxNamed ? ` and ${ids.length - maxNamed} more` : "";
    return `; ${what} ${ids
      .slice(0, maxNamed)
      .map((each) => titles.get(each) ?? each)
      .join(", ")}${more}`;
  };
  const after = edges.filter(({ to }) => to === id).map(({ from }) => from);
  const before = edges.filter(({ from }) => from === id).map(({ to }) => to);
  return list("after", after) + list("before", before);
}
