import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { revealing } from "./camera.ts";
import { CanvasPicture } from "./canvas-picture.tsx";
import { graphKeys } from "./graph-keys.ts";
import type { GraphProps } from "./graph-data.ts";
import { sizes } from "./layout/layout-graph.ts";
import { lineDetails, LineIndex, linesAlong } from "./line-details.ts";
import { NodeOptions } from "./node-options.tsx";
import { fullText, type Marks } from "./picture.ts";
import { RankHeadings } from "./rank-headings.tsx";
import { visible } from "./shorten.ts";
import { SvgPicture } from "./svg-picture.tsx";
import { useCamera } from "./use-camera.ts";
import { useLayout } from "./use-layout.ts";
import { usePointer } from "./use-pointer.ts";

/** Graphs with more nodes are drawn on a canvas. */
const maxSvgNodes = 400;

/** A graph of nodes in stages and ranks, from left to right. It is moved and enlarged by pointer, wheel and keys. */
export function Graph(props: GraphProps) {
  const { nodes, edges, stages, label, selected, onSelect, chain, revealed = selected } = props;
  const layout = useLayout(props);
  const frame = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<string>();
  const control = useCamera(frame, layout, revealed ?? chain?.at(-1));
  const byId = useMemo(() => new Map(nodes.map((node) => [node.id, node])), [nodes]);
  const drawn = useMarks(props, layout, focused);
  const reveal = (id: string | undefined) => {
    const place = layout?.nodes.find((node) => node.id === id);
    if (place !== undefined) control.camera.value = revealing(control.camera.peek(), { ...place, ...sizes.node }, control.screen.peek());
  };
  useEffect(() => reveal(revealed), [revealed, layout === undefined]);
  const focus = (id: string | undefined) => {
    setFocused(id);
    reveal(id);
  };
  const select = (id: string | undefined) => {
    if (id !== undefined) setFocused(id);
    onSelect?.(id);
  };
  const describe = (id: string | undefined) => {
    const node = id === undefined ? undefined : byId.get(id);
    if (frame.current !== null) frame.current.title = node === undefined ? "" : visible(fullText(node));
  };
  const pointer = usePointer(layout, control, { onClick: select, onHover: describe });
  const onKeyDown = graphKeys({ layout, nodes, edges, focused: focused ?? selected, control, focus, select });
  const uid = useId();
  const idOf = (at: number) => `${uid}-${at}`;
  const active = nodes.findIndex(({ id }) => id === focused);
  const Picture = nodes.length > maxSvgNodes ? CanvasPicture : SvgPicture;
  return (
    <div class="graph">
      <div class="graph-ranks" aria-hidden="true">
        {layout === undefined ? null : <RankHeadings layout={layout} stages={stages} camera={control.camera} />}
      </div>
      <div
        class="graph-frame"
        ref={frame}
        role="listbox"
        tabIndex={0}
        aria-label={label}
        aria-activedescendant={active === -1 ? undefined : idOf(active)}
        onFocus={() => (focused === undefined ? focus(selected ?? chain?.[0] ?? layout?.nodes[0]?.id) : undefined)}
        onBlur={() => setFocused(undefined)}
        onKeyDown={onKeyDown}
        {...pointer}
      >
        {layout === undefined || drawn === undefined ? null : (
          <>
            <Picture
              layout={layout}
              nodes={byId}
              details={drawn.details}
              marks={drawn.marks}
              camera={control.camera}
              screen={control.screen}
            />
          </>
        )}
        <NodeOptions
          nodes={nodes}
          edges={edges}
          idOf={idOf}
          {...(focused === undefined ? {} : { focused })}
          {...(selected === undefined ? {} : { selected })}
        />
      </div>
      <div class="graph-tools" role="group" aria-label={`Size of ${label}`}>
        <button type="button" class="button" aria-label="Larger" title="Larger (+)" onClick={() => control.zoom(1.3)}>
          +
        </button>
        <button type="button" class="button" aria-label="Smaller" title="Smaller (−)" onClick={() => control.zoom(1 / 1.3)}>
          −
        </button>
        <button type="button" class="button" title="Show all (0)" onClick={control.fit}>
          Fit
        </button>
      </div>
    </div>
  );
}

function useMarks({ edges, selected, chain, criticalPath }: GraphProps, layout: ReturnType<typeof useLayout>, focused: string | undefined) {
  const index = useMemo(() => (layout === undefined ? undefined : new LineIndex(layout)), [layout]);
  const details = useMemo(
    () => (layout === undefined || index === undefined ? undefined : lineDetails(layout, edges, index)),
    [layout, edges],
  );
  const chainKey = chain?.join("\n") ?? "";
  const criticalKey = criticalPath?.join("\n") ?? "";
  const marks = useMemo((): Marks | undefined => {
    if (index === undefined) return undefined;
    const near = selected === undefined ? [] : edges.filter(({ from, to }) => from === selected || to === selected);
    return {
      chain: new Set(chain),
      chainLines: linesAlong(chain ?? [], index),
      critical: new Set(criticalPath),
      criticalLines: linesAlong(criticalPath ?? [], index),
      nearLines: new Set(near.flatMap(({ from, to }) => index.linesOf(from, to))),
      ...(selected === undefined ? {} : { selected }),
      ...(focused === undefined ? {} : { focused }),
    };
  }, [index, edges, selected, focused, chainKey, criticalKey]);
  return details === undefined || marks === undefined ? undefined : { details, marks };
}
