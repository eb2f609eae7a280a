import { useSignal } from "@preact/signals";
import type { SignInMode } from "../../../src/dashboard/api/index.ts";
import { signIn, signInProblem } from "../../session.ts";

/** Asks for what the visitor signs in with, and says why the session before has ended. */
export function SignInPage({ mode, ended }: { readonly mode: SignInMode; readonly ended: string | undefined }) {
  return (
    <div class="sign-in">
      <h1>Sluice</h1>
      <p class="ended" role="status">
        {ended ?? ""}
      </p>
      {mode === "code" ? <CodeHint /> : <TokenForm />}
      <p class="problem" role="alert">
        {signInProblem.value}
      </p>
    </div>
  );
}

function CodeHint() {
  return (
    <p>
      Open the address that <code>sluice dashboard</code> has printed. It signs one browser in, once; start the command again for another
      one.
    </p>
  );
}

function TokenForm() {
  const isBusy = useSignal(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.target as HTMLFormElement);
    const namespaces = String(fields.get("namespaces") ?? "").split(/[\s,]+/);
    isBusy.value = true;
    await signIn({ token: String(fields.get("token") ?? "").trim(), namespaces: namespaces.filter((name) => name !== "") });
    isBusy.value = false;
  };
  return (
    <form onSubmit={submit}>
      <label>
        Token
        <input class="field" name="token" type="password" autocomplete="off" required autofocus />
      </label>
      <p class="quiet">
        Of a ServiceAccount (<code>kubectl create token NAME -n NAMESPACE</code>) or of your identity provider. You see what it may read,
        and do what it may do.
      </p>
      <label>
        Namespaces
        <input class="field" name="namespaces" type="text" autocomplete="off" placeholder="only if you may not list all" />
      </label>
      <button class="button strong" type="submit" disabled={isBusy.value}>
        Sign in
      </button>
    </form>
  );
}
