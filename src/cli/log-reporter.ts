import type { Cancel, Clock } from "../core/clock/index.ts";
import { keyOf } from "../core/object/index.ts";
import type { Plan } from "../release/plan/index.ts";
import { recreationText } from "../release/track/index.ts";
import type { EventProgress, LogProgress, Progress, StepProgress } from "../release/index.ts";
import { heartbeatLine, isShownRecord, logLine, ProgressTable, type LogTime, type ProgressRow } from "../view/index.ts";
import type { ProgressReporter } from "./progress-reporter.ts";
import type { Terminal } from "./terminal.ts";

type LogReporterOptions = {
  /** How long nothing is printed before a line says what is waited for. Default: 30 seconds. */
  readonly heartbeatMs?: number;
};

/** How long a state that is not the last one has to last to be worth a line. */
const settleMs = 1000;

/** Reports a run as a log: a line for each object whose state has changed, and a heartbeat while none does. */
export function logReporter(clock: Clock, terminal: Terminal, options: LogReporterOptions = {}): ProgressReporter {
  const log = new RunLog(clock, terminal, options);
  return {
    report(event) {
      log.report(event);
      return terminal.drained?.();
    },
    printLine: (line) => log.printLine(line),
    end: () => log.end(),
    rows: () => log.rows,
  };
}

class RunLog {
  readonly #clock: Clock;
  readonly #terminal: Terminal;
  readonly #startedAt: number;
  readonly #heartbeatMs: number;
  readonly #table = new ProgressTable();
  /** What was printed about each object: its states, with a reason for waiting. */
  readonly #printed = new Map<string, Set<string>>();
  /** What was written of objects that have not had a line since: `created`. */
  readonly #written = new Map<string, string>();
  readonly #settling = new Map<string, Cancel>();
  #title = "progress";
  #groupStartedAt: number | undefined;
  #cancelHeartbeat: Cancel;

  constructor(clock: Clock, terminal: Terminal, { heartbeatMs = 30_000 }: LogReporterOptions) {
    this.#clock = clock;
    this.#terminal = terminal;
    this.#startedAt = clock.now();
    this.#heartbeatMs = heartbeatMs;
    this.#cancelHeartbeat = this.#nextHeartbeat();
  }

  get rows(): readonly ProgressRow[] {
    return this.#table.rows;
  }

  report(event: Progress): void {
    this.#table.update(event, this.#clock.now());
    if (event.type === "planned") this.#title = groupTitle(event.plan);
    // What is undone is told of the same objects again.
    if (event.type === "planned" && event.because !== undefined) this.#printed.clear();
    if (event.type === "log" || event.type === "event") return this.#print(event);
    if (event.type === "planned" || event.type === "done") return;
    if (event.verb !== "record") this.#reportObject(event);
    else if (isShownRecord(event)) this.#print(event);
  }

  printLine(line: string): void {
    this.#terminal.err(line);
    this.#restartHeartbeat();
  }

  end(): void {
    this.#cancelHeartbeat();
    for (const cancel of this.#settling.values()) cancel();
    const { logGroups, out } = this.#terminal;
    if (this.#groupStartedAt !== undefined && logGroups !== undefined) out(logGroups.end(this.#groupStartedAt, this.#clock.now()));
  }

  /** A state that others follow is printed once it has lasted. That a wait begins is no news until it has a reason. */
  #reportObject(event: StepProgress): void {
    if (event.type === "started" && event.verb === "await") return;
    const key = keyOf(event.ref);
    this.#settling.get(key)?.();
    this.#settling.delete(key);
    if (event.type === "finished" && event.verb === "apply" && event.because !== undefined) this.#written.set(key, event.because);
    if (isRecreation(event)) this.#printed.delete(key);
    if (this.#isLast(event) || isRecreation(event)) return this.#printObject(event);
    this.#settling.set(
      key,
      this.#clock.after(settleMs, () => this.#printObject(event), { background: true }),
    );
  }

  #isLast({ type, ref }: StepProgress): boolean {
    if (type === "failed" || type === "skipped") return true;
    return type === "finished" && (this.#table.find(ref)?.left ?? 0) === 0;
  }

  #printObject(event: StepProgress): void {
    // What is left to do of an object that has failed is no news.
    if (event.type === "skipped" && this.#table.find(event.ref)?.failure !== undefined) return;
    const key = keyOf(event.ref);
    const printed = this.#printed.get(key) ?? new Set();
    this.#printed.set(key, printed);
    const state = stateKey(event);
    if (printed.has(state)) return;
    printed.add(state);
    this.#print(this.#withWritten(event));
  }

  /** Adds what was written, when that has not had a line of its own. */
  #withWritten(event: StepProgress): StepProgress {
    const written = this.#written.get(keyOf(event.ref));
    if (written === undefined || event.type === "started" || event.type === "skipped") return event;
    this.#written.delete(keyOf(event.ref));
    const isSaid = event.because === undefined || event.verb === "apply";
    return { ...event, because: isSaid ? (event.because ?? written) : `${written}; ${event.because}` };
  }

  #print(event: StepProgress | LogProgress | EventProgress): void {
    this.#printInGroup(logLine(event, this.#time(), this.#terminal.paint));
    this.#restartHeartbeat();
  }

  #printInGroup(line: string): void {
    this.#startGroup();
    const { logGroups, out } = this.#terminal;
    out(logGroups?.plain(line) ?? line);
  }

  #startGroup(): void {
    const { logGroups, out } = this.#terminal;
    if (logGroups === undefined || this.#groupStartedAt !== undefined) return;
    this.#groupStartedAt = this.#clock.now();
    out(logGroups.start(this.#title, this.#groupStartedAt));
  }

  #restartHeartbeat(): void {
    this.#cancelHeartbeat();
    this.#cancelHeartbeat = this.#nextHeartbeat();
  }

  #nextHeartbeat(): Cancel {
    const beat = () => {
      this.#printInGroup(heartbeatLine(this.rows, this.#time(), this.#terminal.paint));
      this.#cancelHeartbeat = this.#nextHeartbeat();
    };
    return this.#clock.after(this.#heartbeatMs, beat, { background: true });
  }

  #time(): LogTime {
    return { now: this.#clock.now(), startedAt: this.#startedAt };
  }
}

/** Somebody else has deleted it: news however soon it is there again, and all that follows is news again. */
function isRecreation(event: StepProgress): boolean {
  return event.type === "waiting" && event.because === recreationText;
}

/** What an object's state is known by. Numbers, and names that have some, are no new reason to wait: `1 of 3 replicas`. */
function stateKey(event: StepProgress): string {
  const { type, verb, until = "" } = event;
  if (type === "skipped") return type;
  if (type === "waiting") return `${type} ${event.because.replaceAll(/\S*\d\S*/g, "#")}`;
  return `${type} ${verb} ${until}`;
}

function groupTitle({ release, operation }: Plan): string {
  return release === undefined ? operation : `${operation} ${release.name} in ${release.namespace}, revision ${release.revision}`;
}
