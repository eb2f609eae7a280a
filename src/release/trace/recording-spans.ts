import { titleOf, type ObjectRef } from "../../core/object/index.ts";
import type { Recording } from "../recording/index.ts";
import type { Span, SpanContext } from "./span.ts";

type SpanOptions = {
  /** So many random hexadecimal digits. */
  readonly newId: (digits: number) => string;
  /** The span that the runs belong to. Default: each run is a trace of its own. */
  readonly parent?: SpanContext;
  readonly links?: readonly SpanContext[];
};

type Run = Recording["runs"][number];
type Step = Run["steps"][number];

/** The spans of a recording: one for each run, each stage of it, each step and each reason to wait. */
export function spansOfRecording({ subject, runs }: Recording, { newId, parent, links }: SpanOptions): readonly Span[] {
  const about =
    subject.type === "release"
      ? { "sluice.release": subject.name, "sluice.revision": subject.revision, "k8s.namespace.name": subject.namespace }
      : { "sluice.profile": subject.profile, "sluice.cluster": subject.cluster, "sluice.feature": subject.feature };
  const name = subject.type === "release" ? subject.name : subject.profile;
  return runs.flatMap((run) => {
    const span: Span = {
      traceId: parent?.traceId ?? newId(32),
      spanId: newId(16),
      ...(parent === undefined ? {} : { parentSpanId: parent.spanId }),
      name: `${run.operation} ${name}`,
      fromMs: run.startedAtMs,
      toMs: run.seenAtMs,
      attributes: { ...about, "sluice.operation": run.operation, "sluice.status": run.status ?? "unfinished" },
      ...(run.status === "failed" ? { error: run.because ?? "failed" } : {}),
      ...(links === undefined || links.length === 0 ? {} : { links }),
    };
    return [span, ...stageSpans(run, span, newId)];
  });
}

function stageSpans({ steps, seenAtMs }: Run, run: Span, newId: SpanOptions["newId"]): readonly Span[] {
  const ran = steps.filter(({ outcome }) => outcome !== "skipped");
  return [...Map.groupBy(ran, ({ stage = "record" }) => stage)].flatMap(([stage, members]) => {
    const span: Span = {
      ...childOf(run, newId),
      name: `stage ${stage}`,
      fromMs: Math.min(...members.map(({ startedAtMs }) => startedAtMs)),
      toMs: Math.max(...members.map(({ endedAtMs = seenAtMs }) => endedAtMs)),
      attributes: { "sluice.stage": stage },
    };
    return [span, ...members.flatMap((step) => stepSpans(step, step.endedAtMs ?? seenAtMs, span, newId))];
  });
}

function stepSpans(step: Step, toMs: number, stage: Span, newId: SpanOptions["newId"]): readonly Span[] {
  const { verb, ref, startedAtMs, outcome, because, waits, after } = step;
  const span: Span = {
    ...childOf(stage, newId),
    name: `${verb} ${titleOf(ref)}`,
    fromMs: startedAtMs,
    toMs,
    attributes: {
      ...objectAttributes(ref),
      "sluice.verb": verb,
      "sluice.outcome": outcome ?? "interrupted",
      ...(because === undefined ? {} : { "sluice.reason": because }),
      ...(after === undefined ? {} : { "sluice.after": after.because }),
    },
    ...(outcome === "failed" ? { error: because ?? "failed" } : {}),
  };
  const reasons = waits.map(({ atMs, because: reason }, at): Span => ({
    ...childOf(span, newId),
    name: `wait for ${titleOf(ref)}`,
    fromMs: atMs,
    toMs: waits[at + 1]?.atMs ?? toMs,
    attributes: { ...objectAttributes(ref), "sluice.reason": reason },
  }));
  return [span, ...reasons];
}

function childOf({ traceId, spanId }: Span, newId: SpanOptions["newId"]): Pick<Span, "traceId" | "spanId" | "parentSpanId"> {
  return { traceId, spanId: newId(16), parentSpanId: spanId };
}

function objectAttributes({ kind, namespace, name }: ObjectRef): Span["attributes"] {
  return { "k8s.object.kind": kind, "k8s.object.name": name, ...(namespace === "" ? {} : { "k8s.namespace.name": namespace }) };
}
