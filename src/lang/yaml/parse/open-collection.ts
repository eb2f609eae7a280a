import { token } from "../scan/token.ts";
import type { Anchor } from "./anchors.ts";
import type { DecodeTarget } from "./decode-target.ts";
import type { KeyReader } from "./key-reader.ts";
import type { ResolvedScalar } from "./resolve-scalar.ts";

/** What ends with a collection that has an anchor or a tag. */
export type Enclosure = { readonly anchor: Anchor | undefined; readonly builds: boolean; readonly chooses: boolean };

/** A collection that has begun, and what is to be done with the entry that is being read. */
export class OpenCollection {
  /** The token that it begins with. */
  readonly type: number;
  readonly isList: boolean;
  /** The map, or the items of the list. */
  readonly held: unknown;
  readonly enclosure: Enclosure | undefined;
  /** Of a flow collection: whether a comma is to come before the next entry. */
  hasEntries = false;
  /** What the parser goes back to after the entry. */
  builds = true;
  chooses = true;
  target: DecodeTarget;
  key: string | undefined;
  isMerge = false;
  bad: ResolvedScalar | undefined;
  line = 0;

  constructor(type: number, held: unknown, target: DecodeTarget, enclosure: Enclosure | undefined) {
    this.type = type;
    this.isList = !isMapStart(type);
    this.held = held;
    this.target = target;
    this.enclosure = enclosure;
  }

  beginPair(key: string | undefined, { isMerge, bad, line }: KeyReader, builds: boolean, chooses: boolean, target: DecodeTarget): void {
    this.key = key;
    this.isMerge = isMerge;
    this.bad = bad;
    this.line = line;
    this.builds = builds;
    this.chooses = chooses;
    this.target = target;
  }
}

/** A key that begins a collection is that of `[a: b]`. */
export function isMapStart(type: number): boolean {
  return type === token.blockMappingStart || type === token.flowMappingStart || type === token.key;
}

export function beginsCollection(type: number, isBlock: boolean, takesIndentless: boolean): boolean {
  if (type === token.flowSequenceStart || type === token.flowMappingStart) return true;
  if (type === token.blockEntry) return takesIndentless;
  return isBlock && (type === token.blockSequenceStart || type === token.blockMappingStart);
}
