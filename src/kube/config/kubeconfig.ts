import { dirname, isAbsolute, join } from "node:path";
import { Fault } from "../../core/fault/index.ts";
import { booleanAt, isFields, listAt, stringsAt, valueAt, type Fields } from "../../core/object/index.ts";
import { readYaml } from "../../lang/yaml/index.ts";

/** An entry of a kubeconfig file. Relative paths are relative to `file`. */
type KubeconfigEntry<T> = T & { readonly name: string; readonly file: string };

export type ClusterEntry = KubeconfigEntry<{
  readonly server: string;
  readonly authority: DataOrFile | undefined;
  readonly serverName: string | undefined;
  readonly insecure: boolean;
  readonly proxy: string | undefined;
  readonly compression: boolean;
  /** Additional configuration that `provideClusterInfo` passes to an exec plugin. */
  readonly execConfig: unknown;
}>;

/** Data in the kubeconfig itself, or the path of a file. */
export type DataOrFile = { readonly text: string } | { readonly path: string };

export type Impersonation = {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
};

export type ExecEntry = {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly installHint: string | undefined;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: string | undefined;
};

export type UserEntry = KubeconfigEntry<{
  readonly certificate: DataOrFile | undefined;
  readonly key: DataOrFile | undefined;
  readonly token: string | undefined;
  readonly tokenFile: string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly impersonate: Impersonation | undefined;
  readonly authProvider: { readonly name: string; readonly config: Readonly<Record<string, string>> } | undefined;
  readonly exec: ExecEntry | undefined;
}>;

export type ContextEntry = KubeconfigEntry<{ readonly cluster: string; readonly user: string; readonly namespace: string | undefined }>;

/** The content of one kubeconfig file, or of several merged. */
export type Kubeconfig = {
  readonly files: readonly string[];
  readonly currentContext: string | undefined;
  readonly clusters: readonly ClusterEntry[];
  readonly users: readonly UserEntry[];
  readonly contexts: readonly ContextEntry[];
};

/** Reads one kubeconfig file. */
export function readKubeconfig(text: string, file: string): Kubeconfig {
  const document = documentIn(text, file);
  const named = <T>(list: string, part: string, read: (reader: EntryReader) => T): KubeconfigEntry<T>[] =>
    listAt(document, list).map((item) => {
      const reader = new EntryReader(item[part], `${list} in ${file}`, file);
      return { ...read(reader), name: new EntryReader(item, `${list} in ${file}`, file).text("name") ?? "", file };
    });
  return {
    files: [file],
    currentContext: new EntryReader(document, file, file).text("current-context"),
    clusters: named("clusters", "cluster", readCluster),
    users: named("users", "user", readUser),
    contexts: named("contexts", "context", (context) => ({
      cluster: context.text("cluster") ?? "",
      user: context.text("user") ?? "",
      namespace: context.text("namespace"),
    })),
  };
}

/** Merges by kubectl's rules: of entries with the same name, the first one wins. */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  return {
    files: configs.flatMap(({ files }) => files),
    currentContext: configs.map(({ currentContext }) => currentContext).find((name) => name !== undefined),
    clusters: firstOfEach(configs.flatMap(({ clusters }) => clusters)),
    users: firstOfEach(configs.flatMap(({ users }) => users)),
    contexts: firstOfEach(configs.flatMap(({ contexts }) => contexts)),
  };
}

function firstOfEach<T extends { readonly name: string }>(entries: readonly T[]): T[] {
  const first = new Map<string, T>();
  for (const entry of entries) if (!first.has(entry.name)) first.set(entry.name, entry);
  return [...first.values()];
}

function documentIn(text: string, file: string): Fields {
  let document: unknown;
  try {
    document = readYaml(text, file, { duplicateKeys: "last wins" }) ?? {};
  } catch (cause) {
    const why = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause);
    throw new Fault(`the kubeconfig is broken: ${why}; correct it, or choose another one with --kubeconfig or KUBECONFIG`, undefined, {
      final: true,
    });
  }
  if (isFields(document) && (document["kind"] === undefined || document["kind"] === "Config")) return document;
  throw new Fault(
    `${file} is no kubeconfig: it should say "kind: Config"; choose another file with --kubeconfig or KUBECONFIG`,
    undefined,
    { final: true },
  );
}

/** Reads the fields of one entry. Its errors name the entry. */
class EntryReader {
  readonly fields: Fields;
  readonly #where: string;
  readonly #file: string;

  constructor(fields: unknown, where: string, file: string) {
    this.fields = isFields(fields) ? fields : {};
    this.#where = where;
    this.#file = file;
  }

  text(name: string): string | undefined {
    const value = this.fields[name];
    if (value === undefined || value === null || value === "") return undefined;
    if (typeof value === "string") return value;
    throw new Fault(`${this.#where}: ${name} should be text, but is ${JSON.stringify(value)}: quote it`, undefined, { final: true });
  }

  path(name: string): string | undefined {
    const path = this.text(name);
    return path === undefined || isAbsolute(path) ? path : join(dirname(this.#file), path);
  }

  /** `name-data` in base64 takes precedence over the file in `name`. */
  source(name: string): DataOrFile | undefined {
    const inline = this.text(`${name}-data`);
    if (inline !== undefined) return { text: Buffer.from(inline, "base64").toString("utf8") };
    const path = this.path(name);
    return path === undefined ? undefined : { path };
  }

  inside(name: string): EntryReader | undefined {
    const value = this.fields[name];
    return isFields(value) ? new EntryReader(value, `${this.#where}: ${name}`, this.#file) : undefined;
  }
}

function readCluster(cluster: EntryReader) {
  const extension = listAt(cluster.fields, "extensions").find((item) => item["name"] === "client.authentication.k8s.io/exec");
  return {
    server: cluster.text("server") ?? "",
    authority: cluster.source("certificate-authority"),
    serverName: cluster.text("tls-server-name"),
    insecure: booleanAt(cluster.fields, "insecure-skip-tls-verify"),
    proxy: cluster.text("proxy-url"),
    compression: !booleanAt(cluster.fields, "disable-compression"),
    execConfig: extension?.["extension"],
  };
}

function readUser(user: EntryReader) {
  return {
    certificate: user.source("client-certificate"),
    key: user.source("client-key"),
    token: user.text("token"),
    tokenFile: user.path("tokenFile"),
    username: user.text("username"),
    password: user.text("password"),
    impersonate: readImpersonation(user),
    authProvider: readAuthProvider(user.inside("auth-provider")),
    exec: readExec(user.inside("exec")),
  };
}

function readImpersonation(user: EntryReader): Impersonation | undefined {
  const name = user.text("as");
  if (name === undefined) return undefined;
  const uid = user.text("as-uid");
  const extra = Object.keys(user.inside("as-user-extra")?.fields ?? {}).map((key) => [
    key,
    strings(user.inside("as-user-extra")?.fields[key]),
  ]);
  return {
    user: name,
    ...(uid === undefined ? {} : { uid }),
    groups: stringsAt(user.fields, "as-groups"),
    extra: Object.fromEntries(extra),
  };
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function readAuthProvider(provider: EntryReader | undefined) {
  if (provider === undefined) return undefined;
  const config = provider.inside("config");
  const pairs = Object.keys(config?.fields ?? {}).map((key) => [key, config?.text(key) ?? ""]);
  return { name: provider.text("name") ?? "", config: Object.fromEntries(pairs) };
}

function readExec(exec: EntryReader | undefined): ExecEntry | undefined {
  if (exec === undefined) return undefined;
  const command = exec.text("command") ?? "";
  const env = listAt(exec.fields, "env").map((pair) => [String(pair["name"]), String(valueAt(pair, "value") ?? "")]);
  return {
    apiVersion: exec.text("apiVersion") ?? "",
    // A bare name is looked up in PATH. One with a slash is a path.
    command: command.includes("/") ? (exec.path("command") ?? command) : command,
    args: stringsAt(exec.fields, "args"),
    env: Object.fromEntries(env),
    installHint: exec.text("installHint"),
    provideClusterInfo: booleanAt(exec.fields, "provideClusterInfo"),
    interactiveMode: exec.text("interactiveMode"),
  };
}
