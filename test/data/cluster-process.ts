import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type ClientHttp2Session, type Settings } from "node:http2";
import { join } from "node:path";
import { listAt, stringAt } from "../../src/core/object/index.ts";
import { readYaml } from "../../src/lang/yaml/index.ts";

const fsyncRecorder = join(import.meta.dirname, "record-fsync.ts");

type ClusterProcessOptions = {
  /** The file that Node runs as `sluice`. */
  readonly program: string;
  readonly kubeconfig: string;
  /** Further flags of `sluice cluster`. */
  readonly flags: readonly string[];
  /** Where the lengths of logs that fsync has confirmed are written to. */
  readonly synced?: string;
};

/** The answer to a request; undefined when the connection broke before it. */
export type ApiAnswer = { readonly status: number; readonly body: unknown };

/** `sluice cluster` in a process of its own. */
export class ClusterProcess {
  readonly ready: Promise<void>;
  readonly #child: ChildProcess;
  readonly #kubeconfig: string;
  #session: ClientHttp2Session | undefined;
  #said = "";

  constructor({ program, kubeconfig, flags, synced }: ClusterProcessOptions) {
    this.#kubeconfig = kubeconfig;
    const recorder = synced === undefined ? [] : ["--import", fsyncRecorder];
    this.#child = spawn(process.execPath, [...recorder, program, "cluster", "--kubeconfig", kubeconfig, ...flags], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...(synced === undefined ? {} : { SYNCED_LENGTHS: synced }) },
    });
    const { stdout, stderr } = this.#child;
    stderr?.setEncoding("utf8").on("data", (text: string) => (this.#said += text));
    this.ready = new Promise((resolve, reject) => {
      stdout?.setEncoding("utf8").on("data", (text: string) => {
        this.#said += text;
        if (/^ready /m.test(this.#said)) resolve();
      });
      this.#child.once("exit", (code, signal) => reject(new Error(`sluice cluster ended with ${signal ?? code}:\n${this.#said}`)));
    });
    // A start that is killed on purpose is nobody's failure.
    this.ready.catch(() => undefined);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** What it has printed. */
  get said(): string {
    return this.#said;
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exited = once(this.#child, "exit");
      this.#child.kill("SIGKILL");
      await exited;
    }
    this.#session?.destroy();
  }

  request(method: string, path: string, body?: object): Promise<ApiAnswer | undefined> {
    this.#session ??= openSession(this.#kubeconfig);
    const session = this.#session;
    return new Promise((resolve) => {
      if (session.destroyed) return resolve(undefined);
      let status = 0;
      let text = "";
      const stream = session.request({ ":method": method, ":path": path, "content-type": "application/json" });
      stream.setEncoding("utf8");
      stream.on("response", (headers) => (status = headers[":status"] ?? 0));
      stream.on("data", (part: string) => (text += part));
      stream.on("error", () => resolve(undefined));
      stream.on("end", () => resolve(status === 0 ? undefined : answerOf(status, text)));
      stream.on("close", () => resolve(undefined));
      stream.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Calls `onLine` with each event of a watch until the connection ends. */
  watch(path: string, onLine: (event: unknown) => void): void {
    this.#session ??= openSession(this.#kubeconfig);
    const stream = this.#session.request({ ":method": "GET", ":path": path });
    let rest = "";
    stream.setEncoding("utf8");
    stream.on("error", () => undefined);
    stream.on("data", (part: string) => {
      const lines = (rest + part).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) onLine(JSON.parse(line));
    });
  }
}

/** A connection may break in the middle of a body: that is no answer. */
function answerOf(status: number, text: string): ApiAnswer | undefined {
  try {
    return { status, body: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** A connection to the cluster of a kubeconfig with one context, as the user in it. `settings` are those of HTTP/2. */
export function openSession(kubeconfig: string, settings: Settings = {}): ClientHttp2Session {
  const config = readYaml(readFileSync(kubeconfig, "utf8"), kubeconfig);
  const [cluster] = listAt(config, "clusters");
  const [user] = listAt(config, "users");
  const session = connect(stringAt(cluster, "cluster.server", ""), {
    ca: decoded(cluster, "cluster.certificate-authority-data"),
    cert: decoded(user, "user.client-certificate-data"),
    key: decoded(user, "user.client-key-data"),
    settings,
  });
  session.on("error", () => undefined);
  return session;
}

function decoded(value: unknown, path: string): Buffer {
  return Buffer.from(stringAt(value, path, ""), "base64");
}
