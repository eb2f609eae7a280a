import { isExactInteger, isFields, type KubeObject } from "../../core/object/index.ts";
import { quoteConcealer } from "../conceal/index.ts";
import type { Snapshot } from "./snapshot.ts";

/** How much of a path says which field it is, in a workload as in its pods: `containers.0.env.1.value`. */
const pathLength = 5;

/**
 * The snapshot with what manifests quote of their own Secrets, where it was hidden when it was saved and they say the same
 * otherwise. Without it an object that has not changed would count as changed, which a Job does not survive.
 */
export function withQuotesOf(snapshot: Snapshot, manifests: readonly { readonly object: KubeObject }[]): Snapshot {
  const none = { whole: false, paths: [] };
  const conceal = quoteConcealer(
    manifests.filter(({ object }) => object.kind === "Secret").map(({ object }) => ({ object, sensitive: none })),
  );
  const quotes = new Map(manifests.flatMap(({ object }) => quotesIn(object, conceal)));
  if (quotes.size === 0) return snapshot;
  const names = [...new Set(manifests.map(({ object }) => object.metadata.name))].toSorted((a, b) => b.length - a.length);
  return { ...snapshot, objects: snapshot.objects.map((object) => restored(object, names, quotes)) };
}

/** Pods and ReplicaSets are named after their workloads, and repeat what those say. */
function restored(object: KubeObject, names: readonly string[], quotes: ReadonlyMap<string, string>): KubeObject {
  const { name } = object.metadata;
  const owner = object.kind === "Secret" ? undefined : names.find((each) => name === each || name.startsWith(`${each}-`));
  return owner === undefined
    ? object
    : (mapTexts(object, (text, path) =>
        text.includes("(hidden)") ? (quotes.get(keyOfQuote(owner, path, text)) ?? text) : text,
      ) as KubeObject);
}

function quotesIn(object: KubeObject, conceal: (text: string) => string): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  if (object.kind === "Secret") return found;
  mapTexts(object, (text, path) => {
    const hidden = conceal(text);
    if (hidden !== text) found.push([keyOfQuote(object.metadata.name, path, hidden), text]);
    return text;
  });
  return found;
}

function keyOfQuote(name: string, path: readonly string[], hidden: string): string {
  return JSON.stringify([name, path.slice(-pathLength), hidden]);
}

function mapTexts(value: unknown, map: (text: string, path: readonly string[]) => string, path: readonly string[] = []): unknown {
  if (typeof value === "string") return map(value, path);
  if (Array.isArray(value)) return value.map((item, at) => mapTexts(item, map, [...path, String(at)]));
  if (!isFields(value) || isExactInteger(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, map, [...path, name])]));
}
