import { signal } from "@preact/signals";
import type { SessionInfo, SignInRequest } from "../src/dashboard/api/index.ts";
import { goTo } from "./location.ts";

/** Who looks at the page; undefined until the server has said so. */
export const session = signal<SessionInfo | undefined>(undefined);

/** Why the last attempt to sign in has failed, or why the server cannot be asked. */
export const signInProblem = signal("");

/** Asks the server who is signed in. A one-time code in the address is traded for a session first, and leaves the address. */
export async function openSession(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (code !== null) {
    goTo(location.pathname + location.search, { replace: true });
    await signIn({ code });
    if (session.value?.signedIn === true) return;
  }
  // Why the code was refused stays to be read.
  const problem = signInProblem.value;
  await request("GET");
  if (signInProblem.value === "") signInProblem.value = problem;
}

export async function signIn(credentials: SignInRequest): Promise<void> {
  await request("POST", credentials);
}

/** Ends the session here and everywhere else. */
export async function signOut(): Promise<void> {
  await request("DELETE");
  await request("GET");
}

/** The session has ended elsewhere, or its time is up. `because` is what the server has said of it. */
export async function onSessionEnded(because?: string): Promise<void> {
  await request("GET");
  const info = session.value;
  if (info?.signedIn === false && info.ended === undefined && because !== undefined) session.value = { ...info, ended: because };
}

async function request(method: string, body?: object): Promise<void> {
  try {
    const json = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const answer = await fetch("/api/session", { method, ...json });
    const content = (await answer.json().catch(() => ({}))) as { readonly message?: string };
    signInProblem.value = answer.ok ? "" : (content.message ?? `The dashboard answered ${answer.status}.`);
    if (answer.ok && method !== "DELETE") session.value = content as SessionInfo;
  } catch {
    signInProblem.value = "The dashboard does not answer.";
  }
}
