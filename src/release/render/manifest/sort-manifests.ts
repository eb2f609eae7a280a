import { LruCache } from "../../../core/cache/index.ts";
import { Fault, type Problem } from "../../../core/fault/index.ts";
import { compareGoStrings } from "../../../lang/template/index.ts";
import { headOf, YamlFault, type ManifestHead } from "../../../lang/yaml/index.ts";
import { compareKinds } from "../../order/index.ts";
import {
  hookDeletePolicies,
  hookEvents,
  hookOutputLogPolicies,
  type HookDeletePolicy,
  type HookEvent,
  type HookOutputLogPolicy,
} from "../../record/index.ts";
import { isBlank } from "./go-space.ts";
import { splitRenderedFile } from "./split-rendered-file.ts";

/** A document of a rendered file. */
export type RenderedManifest = {
  /** Its template. */
  readonly file: string;
  readonly text: string;
  readonly head: ManifestHead;
};

export type RenderedHook = RenderedManifest & {
  readonly events: readonly HookEvent[];
  readonly weight: number;
  readonly deletePolicies: readonly HookDeletePolicy[];
  readonly outputLogPolicies: readonly HookOutputLogPolicy[];
};

type SortedManifests = {
  readonly manifests: readonly RenderedManifest[];
  readonly hooks: readonly RenderedHook[];
  /** Documents that Helm leaves out, and why. */
  readonly leftOut: readonly Problem[];
};

/** Splits rendered files into manifests and hooks, each sorted by install order. Models helm pkg/release/v1/util SortManifests */
export function sortManifests(files: ReadonlyMap<string, string>, helm: 3 | 4): SortedManifests {
  const manifests: RenderedManifest[] = [];
  const hooks: RenderedHook[] = [];
  const leftOut: Problem[] = [];
  for (const file of [...files.keys()].toSorted(compareGoStrings)) {
    const content = files.get(file)!;
    if (isPartial(file) || isBlank(content)) continue;
    for (const text of splitRenderedFile(content, helm)) {
      const manifest = { file, text, head: headIn(file, text) };
      const hook = manifest.head.metadata?.annotations?.get("helm.sh/hook");
      const events = eventsIn(hook ?? "");
      if (hook === undefined) manifests.push(manifest);
      else if (events === undefined) leftOut.push(unknownEvent(manifest, hook));
      else hooks.push(hookOf(manifest, events));
    }
  }
  return { manifests: inOrder(manifests, helm), hooks: inOrder(hooks, helm), leftOut };
}

function isPartial(file: string): boolean {
  return file.slice(file.lastIndexOf("/") + 1).startsWith("_");
}

/** A rendered manifest that is not valid YAML, with its file. */
class ManifestFault extends Fault {
  constructor(file: string, cause: YamlFault) {
    super(`YAML parse error on ${file}`, cause, { final: true });
    this.name = "ManifestFault";
  }
}

/** Repeated renderings mostly produce the same text. */
const knownHeads = new LruCache<string, ManifestHead>({ maxWeight: 2 ** 24, weightOf: (text) => text.length });

function headIn(file: string, text: string): ManifestHead {
  try {
    return knownHeads.getOrCreate(text, headOf);
  } catch (error) {
    throw error instanceof YamlFault ? new ManifestFault(file, error) : error;
  }
}

/** By the word in the annotation. */
const eventByWord = new Map<string, HookEvent>(hookEvents.map((event) => [event, event]));
eventByWord.set("test-success", "test");

/** The events of a hook. Undefined if a word is none. */
function eventsIn(hook: string): readonly HookEvent[] | undefined {
  const words = wordsIn(hook);
  const events = words.map((word) => eventByWord.get(word)).filter((event) => event !== undefined);
  return events.length < words.length ? undefined : events;
}

function unknownEvent({ file, head }: RenderedManifest, hook: string): Problem {
  const object = `${head.kind.toLowerCase()}/${head.metadata?.name ?? ""}`;
  const expected = `expected a list, parted by commas, of ${hookEvents.join(", ")}`;
  return { at: file, message: `${object}: helm.sh/hook is ${JSON.stringify(hook)}; ${expected}: the object is left out, as by Helm` };
}

function hookOf(manifest: RenderedManifest, events: readonly HookEvent[]): RenderedHook {
  const annotations = manifest.head.metadata?.annotations ?? new Map<string, string>();
  return {
    ...manifest,
    events,
    weight: weightIn(annotations.get("helm.sh/hook-weight")),
    deletePolicies: known(hookDeletePolicies, annotations.get("helm.sh/hook-delete-policy")),
    outputLogPolicies: known(hookOutputLogPolicies, annotations.get("helm.sh/hook-output-log-policy")),
  };
}

function wordsIn(list: string | undefined): string[] {
  return list === undefined ? [] : list.split(",").map((word) => word.trim().toLowerCase());
}

function known<Word extends string>(words: readonly Word[], list: string | undefined): readonly Word[] {
  return wordsIn(list).flatMap((named) => words.find((word) => word === named) ?? []);
}

/** Models Go's strconv.Atoi: anything else counts as 0. */
function weightIn(text: string | undefined): number {
  return text !== undefined && /^[+-]?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : 0;
}

/** Kinds that only Helm 4 lists; Helm 3 treats them as unknown. */
const newKinds = new Set(["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"]);

function inOrder<Item extends RenderedManifest>(items: readonly Item[], helm: 3 | 4): readonly Item[] {
  return items.toSorted(({ head: { kind: a } }, { head: { kind: b } }) => (helm === 3 ? compareAsThird(a, b) : compareKinds(a, b)));
}

function compareAsThird(a: string, b: string): number {
  const [isNewA, isNewB] = [newKinds.has(a), newKinds.has(b)];
  if (!isNewA && !isNewB) return compareKinds(a, b);
  // A suffix that no listed kind has moves the kind among the unknown ones and keeps their order by name.
  return compareKinds(isNewA ? `${a}\0` : a, isNewB ? `${b}\0` : b);
}
