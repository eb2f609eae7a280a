/** A dashboard over an embedded cluster in virtual time, without sockets: requests as browsers send them, and streams as they read them. */
import assert from "node:assert/strict";
import { VirtualClock, type Clock } from "../../../src/core/clock/index.ts";
import type { Answer, Exchange, Headers, Request } from "../../../src/core/exchange/index.ts";
import { stringAt } from "../../../src/core/object/index.ts";
import type { ActionHandler } from "../../../src/dashboard/actions.ts";
import type { Notice, StreamMessage } from "../../../src/dashboard/api/index.ts";
import { ActionRunner, actionHandlers, CodeSignIn, createDashboard, TokenSignIn, Visitor } from "../../../src/dashboard/index.ts";
import { startEmbeddedCluster } from "../../../src/embedded/index.ts";
import { connect, type Cluster } from "../../../src/kube/index.ts";

type Rule = { readonly apiGroups: readonly string[]; readonly resources: readonly string[]; readonly verbs: readonly string[] };

type FixtureOptions = {
  readonly mode?: "token" | "code";
  readonly perSession?: number;
  readonly inAll?: number;
  readonly compress?: boolean;
  readonly actions?: Readonly<Record<string, ActionHandler>>;
  readonly maxSessionMs?: number;
};

export const readEverything: Rule = { apiGroups: ["*"], resources: ["*"], verbs: ["get", "list", "watch"] };
export const host = "dash.example:8443";
const page = [
  { name: "index.html", data: new TextEncoder().encode("<!doctype html><title>Sluice</title>") },
  { name: "main.js", data: new TextEncoder().encode("export {};\n".repeat(200)) },
];

export class DashboardFixture {
  readonly clock = new VirtualClock();
  readonly exchange: Exchange;
  readonly admin: Cluster;
  /** Every request to the cluster: its token and what is asked for. */
  readonly asked: { readonly authorization: string; readonly path: string }[] = [];
  readonly dashboard: ReturnType<typeof createDashboard>;
  readonly code: string;
  readonly runner = new ActionRunner({ clock: this.clock, hasDied: () => false, identityFor: (user) => `${user} (test)` });
  /** Changes what the cluster answers to visitors. */
  reach: (request: Request, real: Exchange) => ReturnType<Exchange> = (request, real) => real(request);

  constructor({ mode = "token", perSession, inAll, compress = false, actions, maxSessionMs = 12 * 3_600_000 }: FixtureOptions = {}) {
    const { clock } = this;
    this.exchange = startEmbeddedCluster({ clock }).exchange;
    this.admin = connect(this.exchange, { clock });
    const visited: Exchange = (request) => {
      this.asked.push({ authorization: request.headers["authorization"] ?? "", path: request.path });
      return this.reach(request, this.exchange);
    };
    const connectAs = (token: string) => connect(withToken(visited, token), { clock, attempts: 2 });
    const code = new CodeSignIn(
      () =>
        new Visitor({
          clock,
          user: "",
          contexts: contextsOf("prod", "broken"),
          namespaces: [],
          open: (name) => openAs(name, visited, clock),
        }),
    );
    const actionsOf = (user: string) => this.runner.listOf({ key: user, context: "prod" });
    const token = new TokenSignIn({ clock, context: "prod", connectAs, actionsOf, maxSessionMs });
    this.code = code.code;
    this.dashboard = createDashboard({
      clock,
      signIn: mode === "code" ? code : token,
      page,
      hosts: () => [host],
      version: "1.2.3",
      compress,
      limits: { ...(perSession === undefined ? {} : { perSession }), ...(inAll === undefined ? {} : { inAll }) },
      actions: actions ?? actionHandlers(this.runner),
    });
  }

  /** A ServiceAccount that may do this in its namespace, or in all, and a token of it. */
  async account(
    name: string,
    namespace: string,
    rules: readonly Rule[],
    { everywhere = false, expirationSeconds = 3600 } = {},
  ): Promise<string> {
    const { admin, clock } = this;
    const kind = everywhere ? "ClusterRole" : "Role";
    const place = everywhere ? {} : { namespace };
    const objects = [
      { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
      { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace } },
      { apiVersion: "rbac.authorization.k8s.io/v1", kind, metadata: { name, ...place }, rules },
      {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: `${kind}Binding`,
        metadata: { name, ...place },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name },
        subjects: [{ kind: "ServiceAccount", name, namespace }],
      },
    ];
    for (const object of objects) await clock.until(admin.apply(object, { force: true }));
    return this.token(name, namespace, expirationSeconds);
  }

  async token(name: string, namespace: string, expirationSeconds = 3600): Promise<string> {
    const under = { group: "", version: "v1", kind: "ServiceAccount", namespace, name };
    const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", metadata: { name }, spec: { expirationSeconds } };
    return stringAt(await this.clock.until(this.admin.create(request, { under, subresource: "token" })), "status.token", "");
  }

  async send(method: string, path: string, options: { headers?: Headers; cookie?: string; json?: unknown } = {}): Promise<SentAnswer> {
    const answer = await this.clock.until(this.dashboard.handler(this.request(method, path, options)));
    return new SentAnswer(answer, await textOf(answer));
  }

  request(method: string, path: string, options: { headers?: Headers; cookie?: string; json?: unknown; signal?: AbortSignal } = {}) {
    const { headers = {}, cookie, json, signal = new AbortController().signal } = options;
    return {
      method,
      path,
      headers: {
        host,
        ...(json === undefined ? {} : { "content-type": "application/json" }),
        ...(cookie === undefined ? {} : { cookie }),
        ...headers,
      },
      peer: { address: "192.0.2.1", scheme: "https" } as const,
      signal,
      ...(json === undefined ? {} : { body: typeof json === "string" ? json : JSON.stringify(json) }),
    };
  }

  /** Signs in and returns the cookie. */
  async signIn(token: string, namespaces: readonly string[] = []): Promise<string> {
    const answer = await this.send("POST", "/api/session", { json: { token, namespaces } });
    assert.equal(answer.status, 200, answer.text);
    return answer.cookie;
  }

  /** Opens a stream of views. */
  async stream(cookie: string, paths: readonly string[], headers: Headers = {}): Promise<StreamUnderTest> {
    const stop = new AbortController();
    const query = paths.map((path) => `view=${encodeURIComponent(path)}`).join("&");
    const answer = await this.dashboard.handler(this.request("GET", `/api/stream?${query}`, { cookie, headers, signal: stop.signal }));
    return new StreamUnderTest(answer, stop);
  }
}

function contextsOf(...names: readonly string[]) {
  return names.map((name, at) => ({ name, current: at === 0 }));
}

async function openAs(name: string, exchange: Exchange, clock: Clock): Promise<Cluster> {
  if (name === "broken") throw new Error("the program for credentials is not installed");
  return connect(exchange, { clock, attempts: 2 });
}

function withToken(exchange: Exchange, token: string): Exchange {
  return (request) => exchange({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } });
}

async function textOf({ body }: Answer): Promise<string> {
  let text = "";
  for await (const chunk of body) text += Buffer.from(chunk).toString();
  return text;
}

class SentAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;

  constructor({ status, headers }: Answer, text: string) {
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  get json(): unknown {
    return JSON.parse(this.text);
  }

  get message(): string {
    return stringAt(this.json, "message", "");
  }

  /** What the browser sends back. */
  get cookie(): string {
    return (this.headers["set-cookie"] ?? "").split(";")[0] ?? "";
  }
}

/** A stream and what has arrived of it. */
export class StreamUnderTest {
  readonly answer: Answer;
  readonly messages: StreamMessage[] = [];
  readonly chunks: Uint8Array[] = [];
  lastId = "";
  text = "";
  hasEnded = false;
  readonly #stop: AbortController;
  #rest = "";

  constructor(answer: Answer, stop: AbortController) {
    this.answer = answer;
    this.#stop = stop;
    if (answer.status === 200) void this.#read();
  }

  /** Leaves, as a browser does that is closed. */
  leave(): void {
    this.#stop.abort();
  }

  /** The items of a view as a page has them. */
  items(view: string): ReadonlyMap<string, unknown> {
    const items = new Map<string, unknown>();
    let isResetting = false;
    for (const message of this.messages.filter((each) => each.view === view)) {
      if (message.type === "notices") continue;
      if (message.type === "reset") {
        if (!isResetting) items.clear();
        isResetting = message.more === true;
        for (const [key, item] of message.items) items.set(key, item);
      } else {
        for (const key of message.remove ?? []) items.delete(key);
        for (const [key, item] of message.set ?? []) items.set(key, item);
      }
    }
    return items;
  }

  /** The notices that hold now. */
  notices(view: string): readonly string[] {
    const last = this.messages.findLast((message) => message.view === view && message.type === "notices");
    return last === undefined || !("notices" in last) ? [] : last.notices.map(({ text }: Notice) => text);
  }

  async #read(): Promise<void> {
    for await (const chunk of this.answer.body) {
      this.chunks.push(Buffer.from(chunk));
      if (this.answer.headers["content-encoding"] === undefined) this.#take(Buffer.from(chunk).toString());
    }
    this.hasEnded = true;
  }

  #take(text: string): void {
    this.text += text;
    const blocks = (this.#rest + text).split("\n\n");
    this.#rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const [, id] = /^id: (.*)$/m.exec(block) ?? [];
      if (id !== undefined) this.lastId = id;
      const [, data] = /^data: ([^\r\n]*)/m.exec(block) ?? [];
      if (data !== undefined && !block.startsWith("event:")) this.messages.push(JSON.parse(data) as StreamMessage);
    }
  }
}
