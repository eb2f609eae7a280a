/** How one test ended, in a form that crosses from one process to another. */
export type TestResult = {
  readonly state: "passed" | "failed" | "skipped";
  readonly file: string;
  /** The names of the tests around it, outermost first, and its own. */
  readonly name: string;
  readonly durationMs: number;
  /** Of the processor, since the result before it: what its file costs to load is the first test's. Absent when the process ended early. */
  readonly cpuMs?: number;
  /** Why it failed or was skipped. */
  readonly because?: string;
};

/** What the process of a batch sends: every result, and at the end that all have been sent. */
export type BatchMessage =
  | { readonly type: "result"; readonly result: TestResult }
  | { readonly type: "started"; readonly name: string }
  | { readonly type: "done" };
