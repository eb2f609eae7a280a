import type { Clock } from "../../core/clock/index.ts";
import type { Headers } from "../../core/exchange/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { isFields, stringAt } from "../../core/object/index.ts";
import type { ClientCertificate } from "../transport/index.ts";
import { SingleFlight } from "../single-flight.ts";
import { bearerAuthHeader, type Credentials } from "./credentials.ts";
import type { ExecEntry } from "./kubeconfig.ts";
import type { Machine, CommandResult } from "./machine.ts";

/** The cluster information for an exec plugin. Models client-go pkg/apis/clientauthentication/v1 Cluster */
export type ExecCluster = {
  readonly server: string;
  readonly "tls-server-name"?: string;
  readonly "insecure-skip-tls-verify"?: boolean;
  readonly "certificate-authority-data"?: string;
  readonly "proxy-url"?: string;
  readonly "disable-compression"?: boolean;
  readonly config?: unknown;
};

type IssuedCredential = { token: string | undefined; certificate: ClientCertificate | undefined; expiresAt: number };

const supportedVersions = new Set(["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"]);

/**
 * Credentials of an exec plugin (`aws eks get-token` and the like). It runs when credentials are first needed, have
 * expired or are rejected, once for all concurrent callers.
 */
export class ExecCredentials implements Credentials {
  readonly #exec: ExecEntry;
  readonly #cluster: ExecCluster;
  readonly #machine: Machine;
  readonly #clock: Clock;
  readonly #running = new SingleFlight<IssuedCredential>();
  readonly #certificateChanged: () => void;
  #issued: IssuedCredential | undefined;

  constructor(exec: ExecEntry, cluster: ExecCluster, machine: Machine, clock: Clock, certificateChanged: () => void) {
    this.#exec = exec;
    this.#cluster = cluster;
    this.#machine = machine;
    this.#clock = clock;
    this.#certificateChanged = certificateChanged;
  }

  async headers() {
    return headersFor(this.#current() ?? (await this.#issue()));
  }

  async certificate() {
    return (this.#current() ?? (await this.#issue())).certificate;
  }

  /** A request that was rejected with older credentials only has to use the latest ones. */
  async renew(sent: Headers): Promise<boolean> {
    if (this.#issued !== undefined && sent["authorization"] !== headersFor(this.#issued)["authorization"]) return true;
    await this.#issue();
    return true;
  }

  #current(): IssuedCredential | undefined {
    return this.#issued !== undefined && this.#issued.expiresAt > this.#clock.now() ? this.#issued : undefined;
  }

  #issue(): Promise<IssuedCredential> {
    return this.#running.run(() => this.#run(), { join: true });
  }

  async #run(): Promise<IssuedCredential> {
    const { apiVersion, command, args, env, provideClusterInfo } = this.#exec;
    const interactive = this.#isInteractive();
    const spec = { ...(provideClusterInfo ? { cluster: this.#cluster } : {}), interactive };
    const info = JSON.stringify({ apiVersion, kind: "ExecCredential", spec });
    let ran: CommandResult;
    try {
      ran = await this.#machine.run({ program: command, args, env: { ...env, KUBERNETES_EXEC_INFO: info }, interactive });
    } catch (cause) {
      throw this.#cannotStart(cause);
    }
    if (ran.code !== 0) throw this.#fault(`it failed with exit code ${ran.code}${lastLine(ran.stderr)}`);
    const before = this.#issued?.certificate;
    this.#issued = this.#read(ran.stdout);
    if (before !== undefined && before.certificate !== this.#issued.certificate?.certificate) this.#certificateChanged();
    return this.#issued;
  }

  /** Models client-go plugin/pkg/client/auth/exec/exec.go interactiveFunc, and clientcmd's validation of exec entries */
  #isInteractive(): boolean {
    const { apiVersion, interactiveMode, command } = this.#exec;
    if (command === "") throw this.#fault("the kubeconfig names no command");
    if (!supportedVersions.has(apiVersion))
      throw this.#fault(`its apiVersion "${apiVersion}" is not known: use ${[...supportedVersions].join(" or ")}`);
    switch (interactiveMode ?? (apiVersion.endsWith("/v1beta1") ? "IfAvailable" : "")) {
      case "Never":
        return false;
      case "IfAvailable":
        return this.#machine.hasTerminal;
      case "Always":
        if (this.#machine.hasTerminal) return true;
        throw this.#fault("it has to ask you (interactiveMode Always), but there is no terminal here");
      default:
        throw this.#fault(`set its interactiveMode to Never, IfAvailable or Always (it is "${interactiveMode ?? ""}")`);
    }
  }

  #read(output: string): IssuedCredential {
    let answer: unknown;
    try {
      answer = JSON.parse(output);
    } catch (cause) {
      throw this.#fault("what it printed is no JSON", cause);
    }
    const version = stringAt(answer, "apiVersion", "");
    if (version !== this.#exec.apiVersion) throw this.#fault(`it speaks "${version}", but the kubeconfig says ${this.#exec.apiVersion}`);
    const status = isFields(answer) ? answer["status"] : undefined;
    const token = stringAt(status, "token", "") || undefined;
    const certificate = stringAt(status, "clientCertificateData", "");
    const key = stringAt(status, "clientKeyData", "");
    if ((certificate === "") !== (key === "")) throw this.#fault("it gave a certificate without a key, or a key without a certificate");
    if (token === undefined && certificate === "") throw this.#fault("it gave neither a token nor a certificate");
    const expires = Date.parse(stringAt(status, "expirationTimestamp", ""));
    return {
      token,
      certificate: certificate === "" ? undefined : { certificate, key },
      expiresAt: Number.isNaN(expires) ? Infinity : expires,
    };
  }

  #cannotStart(cause: unknown): Fault {
    const missing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    if (!missing) return this.#fault("it cannot be started", cause);
    const hint = this.#exec.installHint === undefined ? "install it, or put it into PATH" : this.#exec.installHint.trim();
    return this.#fault(`there is no such program: ${hint}`);
  }

  #fault(what: string, cause?: unknown): Fault {
    return new Fault(`get credentials from ${this.#exec.command || "an exec plugin"}: ${what}`, cause, { final: true });
  }
}

function headersFor({ token }: IssuedCredential): Headers {
  return token === undefined ? {} : bearerAuthHeader(token);
}

function lastLine(text: string): string {
  const line = text.trim().split("\n").at(-1) ?? "";
  return line === "" ? "" : `: ${line}`;
}
