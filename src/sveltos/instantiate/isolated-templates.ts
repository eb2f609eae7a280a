import type { Clock } from "../../core/clock/index.ts";
import { approximateSize, keyOf, type KubeObject } from "../../core/object/index.ts";
import { BatchRunner, type BatchOutcome, type IsolatedTask, type TaskRunner } from "../../worker/index.ts";
import { valueHash } from "../api/index.ts";
import type { Match } from "../evaluate/index.ts";
import { isPlain, plainText, type EventRenderOptions, type EventTemplates, type Rendered, type TextRenderer } from "./event-templates.ts";
import type { TemplateInput } from "./template-data.ts";

/** A text to render. */
type TextItem = { readonly at: string; readonly text: string; readonly input: TemplateInput; readonly options: EventRenderOptions };

type WantedText = TextItem & { readonly texts: Map<string, Rendered | typeof pending>; readonly key: string };

type IsolatedTemplatesOptions = Pick<IsolatedTask, "owner" | "subject" | "title"> & {
  readonly tasks: TaskRunner;
  readonly clock: Clock;
  /** Called when texts are known that nobody has waited for. */
  readonly onRendered: () => void;
};

const pending = { state: "pending" } as const;

/** The handler of a worker. Its input comes from `IsolatedTemplates`. */
export function renderTextsTask(input: unknown, templates: EventTemplates): readonly Rendered[] {
  return (input as readonly TextItem[]).map(({ at, text, input: about, options }) => templates.render(at, text, about, options));
}

/**
 * Renders the templates of one trigger in workers. What is asked for is pending at first: `renderPending` renders all of it together,
 * and the same question is answered then, until `forget`.
 */
export class IsolatedTemplates implements TextRenderer {
  readonly #options: IsolatedTemplatesOptions;
  readonly #signal: AbortSignal;
  #runner: BatchRunner<WantedText, Rendered>;
  /** The hashes of texts that the runner has tried. */
  readonly #tried = new Set<string>();
  #wanted: WantedText[] = [];
  #running: Promise<void> | undefined;
  /** By matching object or cluster. */
  #known = new WeakMap<object, { readonly cluster: KubeObject; readonly texts: WantedText["texts"] }>();
  /** Of one profile for all matching objects, whose list is another one each time. */
  #ofAll: { readonly matches: readonly Match[]; readonly cluster: KubeObject; readonly texts: WantedText["texts"] } | undefined;
  #retryAt: number | undefined;

  constructor(options: IsolatedTemplatesOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#runner = this.#newRunner();
  }

  /** When a text may be tried again that has failed for a limit; undefined: none has. */
  get retryAt(): number | undefined {
    return this.#retryAt;
  }

  get owner(): string {
    return this.#options.owner;
  }

  /** Nothing is being rendered. */
  get isIdle(): boolean {
    return this.#running === undefined;
  }

  render(at: string, text: string, input: TemplateInput, options: EventRenderOptions = {}): Rendered | typeof pending {
    if (isPlain(text)) return plainText(text);
    const texts = this.#textsOf(input);
    const key = `${options.lenient === true} ${options.repeatable === true} ${at}\n${text}`;
    const known = texts.get(key);
    if (known !== undefined) return known;
    texts.set(key, pending);
    this.#wanted.push({ at, text, input, options, texts, key });
    return pending;
  }

  /**
   * Renders what is pending. `none`: nothing is. `later`: it takes longer than `waitMs`, and `onRendered` is called when it is
   * done.
   */
  async renderPending(waitMs: number): Promise<"none" | "rendered" | "later"> {
    if (this.#wanted.length === 0 && this.#running === undefined) return "none";
    // Whoever waits already is told.
    if (this.#running !== undefined) return "later";
    const running = (this.#running = this.#run());
    const timedOut = Promise.withResolvers<"later">();
    const cancel = waitMs === Infinity ? () => {} : this.#options.clock.after(waitMs, () => timedOut.resolve("later"));
    const outcome = await Promise.race([running.then(() => "rendered" as const), timedOut.promise]);
    cancel();
    if (outcome === "later") void this.#callBackAfter(running);
    return outcome;
  }

  async #callBackAfter(running: Promise<void>): Promise<void> {
    await running;
    if (!this.#signal.aborted) this.#options.onRendered();
  }

  /** Forgets what is known, because it was made use of. */
  forget(): void {
    this.#known = new WeakMap();
    this.#ofAll = undefined;
    this.#retryAt = undefined;
  }

  async #run(): Promise<void> {
    while (this.#wanted.length > 0 && !this.#signal.aborted) {
      const wanted = this.#wanted;
      this.#wanted = [];
      this.#resumeForOthers(wanted);
      await this.#runner.run(wanted, (item, outcome) => item.texts.set(item.key, this.#renderedOf(item, outcome)), this.#signal);
    }
    this.#running = undefined;
  }

  /** A pause is about the texts that have caused it: another one is tried at once. */
  #resumeForOthers(wanted: readonly WantedText[]): void {
    const hashes = wanted.map(({ text }) => valueHash(text));
    if (this.#runner.pause !== undefined && hashes.some((hash) => !this.#tried.has(hash))) {
      this.#runner = this.#newRunner();
      this.#tried.clear();
    }
    for (const hash of hashes) this.#tried.add(hash);
    if (this.#runner.pause === undefined && this.#tried.size > 1000) this.#tried.clear();
  }

  #renderedOf({ at }: WantedText, outcome: BatchOutcome<Rendered>): Rendered {
    if (outcome.state === "done") return outcome.result;
    const { pause } = this.#runner;
    const { message, retryAt } =
      outcome.state === "failed" ? outcome : { message: `the templates of the trigger are ${pause?.message}`, retryAt: pause?.until ?? 0 };
    this.#retryAt = Math.min(this.#retryAt ?? Infinity, retryAt);
    return { state: "failed", problem: { at, message } };
  }

  #textsOf(input: TemplateInput): WantedText["texts"] {
    const { cluster } = input;
    if (input.of === "matches") {
      const isSame = this.#ofAll?.cluster === cluster && isSameList(this.#ofAll.matches, input.matches);
      if (this.#ofAll === undefined || !isSame) this.#ofAll = { matches: input.matches, cluster, texts: new Map() };
      return this.#ofAll.texts;
    }
    const about = input.of === "match" ? input.match : cluster;
    let known = this.#known.get(about);
    if (known?.cluster !== cluster) this.#known.set(about, (known = { cluster, texts: new Map() }));
    return known.texts;
  }

  #newRunner(): BatchRunner<WantedText, Rendered> {
    const { tasks, clock, owner, subject, title } = this.#options;
    return new BatchRunner({
      tasks,
      clock,
      owner,
      subject,
      title,
      handler: "texts",
      keyOf: ({ text, input }) => `${valueHash(text)} ${input.of === "match" ? keyOf(input.match.ref) : ""}`,
      sizeOf: ({ text, input }) => text.length + approximateSize(input),
      inputOf: (items) => items.map(({ at, text, input, options }): TextItem => ({ at, text, input, options })),
      read: (output) => output as readonly Rendered[],
    });
  }
}

function isSameList(one: readonly Match[], other: readonly Match[]): boolean {
  return one.length === other.length && one.every((match, index) => match === other[index]);
}
