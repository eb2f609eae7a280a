import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { SignInRequest } from "../api/index.ts";
import type { Visitor } from "../visitor/visitor.ts";
import type { SignIn, SignInResult } from "./sign-in.ts";

/** Signs in whoever has the code of the printed address. It is good once. */
export class CodeSignIn implements SignIn {
  readonly mode = "code";
  readonly code = randomBytes(32).toString("base64url");
  readonly #visitor: () => Visitor;
  #isUsed = false;

  /** `visitor` makes who looks by the kubeconfig of this machine. */
  constructor(visitor: () => Visitor) {
    this.#visitor = visitor;
  }

  async accept(request: SignInRequest): Promise<SignInResult> {
    if (!("code" in request)) return { refusal: "This dashboard is opened by the address that its command has printed.", status: 400 };
    if (!timingSafeEqual(digestOf(request.code), digestOf(this.code)))
      return { refusal: "This address is of another dashboard, or of one that has ended. Open the one that was printed last." };
    if (this.#isUsed) return { refusal: "This address was used already: it is good once. Start the command again for another one." };
    this.#isUsed = true;
    return { visitor: this.#visitor() };
  }
}

/** Texts of any length become bytes of one length. */
function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
