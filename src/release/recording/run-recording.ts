import type { Progress, StepProgress } from "../index.ts";
import type { Plan, Step } from "../plan/index.ts";
import { LastNeeds } from "./last-needs.ts";
import type { RecordedContainer, RecordedPod, RecordedRun, RecordedStep, RecordedWait } from "./recording.ts";

/** Longer texts are clipped: a reason is read, not parsed. */
const maxTextLength = 400;
/** Of more waits of one step the first and the latest are kept. */
const maxWaits = 40;
const maxEvents = 10;

type MutableStep = { -readonly [K in keyof RecordedStep]: RecordedStep[K] } & { waits: RecordedWait[] };

type RunRecordingOptions = {
  /** Hides sensitive values in a text. Default: there are none. */
  readonly conceal?: (text: string) => string;
};

/** Makes the recording of a run from its progress. Does no I/O and knows no time but what it is given. */
export class RunRecording {
  readonly #plan: Plan;
  readonly #planned: ReadonlyMap<string, Step>;
  readonly #lastNeeds: LastNeeds;
  readonly #conceal: (text: string) => string;
  readonly #startedAtMs: number;
  readonly #steps = new Map<string, MutableStep>();
  /** The id of the step that has ended last. */
  #lastEnded: string | undefined;
  #seenAtMs: number;
  #end: Pick<RecordedRun, "status" | "because"> = {};
  #pods: readonly RecordedPod[] = [];

  constructor(plan: Plan, atMs: number, { conceal = (text) => text }: RunRecordingOptions = {}) {
    this.#plan = plan;
    this.#planned = new Map(plan.steps.map((step) => [step.id, step]));
    this.#lastNeeds = new LastNeeds(plan);
    this.#conceal = conceal;
    this.#startedAtMs = atMs;
    this.#seenAtMs = atMs;
  }

  /** Takes in an event. Logs are left out: nobody can say what they contain. */
  onProgress(event: Progress, atMs: number): void {
    this.#seenAtMs = Math.max(this.#seenAtMs, atMs);
    if ("verb" in event) this.#onStep(event, atMs);
    else if (event.type === "done") this.#end = { status: event.status, ...this.#because(event.because) };
  }

  /** The pods that were created meanwhile, as they are now. */
  setPods(pods: readonly RecordedPod[]): void {
    this.#pods = pods.map((pod) => ({ ...pod, containers: pod.containers.map((each) => this.#container(each)) }));
  }

  get run(): RecordedRun {
    return {
      operation: this.#plan.operation,
      startedAtMs: this.#startedAtMs,
      seenAtMs: this.#seenAtMs,
      ...this.#end,
      steps: [...this.#steps.values()].map((step) => ({ ...step, waits: [...step.waits] })),
      pods: this.#pods,
    };
  }

  #container({ pullError, ...container }: RecordedContainer): RecordedContainer {
    const image = this.#text(container.image);
    return { ...container, image, ...(pullError === undefined ? {} : { pullError: this.#text(pullError) }) };
  }

  #onStep(event: StepProgress, atMs: number): void {
    const step = this.#stepOf(event, atMs);
    if (event.type === "started") return;
    if (event.type === "waiting") return addWait(step, { atMs, because: this.#text(event.because) });
    step.endedAtMs = atMs;
    step.outcome = event.type;
    this.#lastEnded = step.id;
    if (event.because !== undefined) step.because = this.#text(event.because);
    if (event.type === "failed" && event.events !== undefined && event.events.length > 0)
      step.events = event.events.slice(0, maxEvents).map((text) => this.#text(text));
    if (event.id !== undefined) this.#lastNeeds.ended(event.id);
  }

  #stepOf(event: StepProgress, atMs: number): MutableStep {
    const { verb, ref, id = `${verb} ${ref.kind}/${ref.namespace}/${ref.name}`, stage, rank, until } = event;
    const known = this.#steps.get(againId(id)) ?? this.#steps.get(id);
    if (known !== undefined && event.type === "waiting" && known.endedAtMs !== undefined) return this.#again(known, atMs);
    if (known !== undefined) return known;
    const after = event.type === "skipped" ? undefined : this.#lastNeeds.of(id);
    const step: MutableStep = {
      id,
      verb,
      ref,
      ...(stage === undefined ? {} : { stage }),
      ...(rank === undefined ? {} : { rank }),
      ...(this.#planned.get(id)?.hook === true ? { hook: true } : {}),
      ...(until === undefined ? {} : { until }),
      ...(after === undefined ? {} : { after: { id: after.id, because: this.#text(after.because) } }),
      startedAtMs: atMs,
      waits: [],
    };
    this.#steps.set(id, step);
    return step;
  }

  /** What vanished after it was ready is created again at the end of a run, when all else has ended. */
  #again(known: MutableStep, atMs: number): MutableStep {
    const { endedAtMs: _endedAtMs, outcome: _outcome, because: _because, events: _events, ...same } = known;
    const after = { id: this.#lastEnded ?? known.id, because: "it was deleted meanwhile" };
    const step: MutableStep = { ...same, id: againId(known.id), again: true, after, startedAtMs: atMs, waits: [] };
    this.#steps.set(step.id, step);
    return step;
  }

  #because(text: string | undefined): { readonly because?: string } {
    return text === undefined ? {} : { because: this.#text(text) };
  }

  /** Conceals before it clips, so that no half of a value is left. */
  #text(text: string): string {
    const shown = this.#conceal(text);
    return shown.length > maxTextLength ? `${shown.slice(0, maxTextLength - 1)}…` : shown;
  }
}

function againId(id: string): string {
  return `${id} again`;
}

/** Keeps the first half of the waits and the latest ones. */
function addWait(step: MutableStep, wait: RecordedWait): void {
  if (step.waits.length >= maxWaits) step.waits.splice(maxWaits / 2, 1);
  step.waits.push(wait);
}
