import { session } from "../session.ts";
import { shellWord } from "./shell-word.ts";

/** The context that commands for the visitor name. Empty for one who signs in with a token: their kubeconfig is not known here. */
export function commandContext(context: string): string {
  return session.value?.mode === "token" ? "" : context;
}

/** ` --context prod`, or nothing. */
export function contextFlag(context: string): string {
  const named = commandContext(context);
  return named === "" ? "" : ` --context ${shellWord(named)}`;
}
