import type { ObjectRef } from "../object/index.ts";

/** What is being done about an object. */
export type Verb = "apply" | "await";

/** What a run tells as it goes. Terminals, logs and tests read this and nothing else. `waiting` comes only when the reason changes. */
export type Progress =
  | { readonly type: "started"; readonly verb: Verb; readonly ref: ObjectRef }
  | { readonly type: "waiting"; readonly verb: Verb; readonly ref: ObjectRef; readonly because: string }
  | { readonly type: "finished"; readonly verb: Verb; readonly ref: ObjectRef; readonly because?: string }
  | { readonly type: "failed"; readonly verb: Verb; readonly ref: ObjectRef; readonly because: string }
  | { readonly type: "skipped"; readonly verb: Verb; readonly ref: ObjectRef; readonly because: string };
