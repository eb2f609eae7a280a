import { Fault } from "../../core/fault/index.ts";
import type { Fields } from "../../core/object/index.ts";
import { clusterFields, readText } from "./client-config.ts";
import type { SelectedContext } from "./find-kubeconfig.ts";
import type { Impersonation, UserEntry } from "./kubeconfig.ts";
import type { Machine } from "./machine.ts";

/**
 * A kubeconfig with one context, its cluster and its user, in which certificates, keys and tokens stand themselves: what
 * `kubectl config view --minify --flatten --raw` prints. Refuses credentials that come from a program, since they work on
 * this machine alone.
 */
export async function flattenContext({ context, cluster, user }: SelectedContext, machine: Machine): Promise<Fields> {
  const { name, namespace } = context;
  const files = new Set([context.file, cluster.file, user?.file ?? context.file]);
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    clusters: [{ name: cluster.name, cluster: await clusterFields(cluster, machine) }],
    users: user === undefined ? [] : [{ name: user.name, user: await userFields(user, name, machine, files) }],
    contexts: [{ name, context: { cluster: cluster.name, user: context.user, ...present({ namespace }) } }],
  };
}

async function userFields(user: UserEntry, context: string, machine: Machine, files: ReadonlySet<string>): Promise<Fields> {
  const { username, password, impersonate } = user;
  const program = user.exec?.command ?? user.authProvider?.name;
  if (program !== undefined) {
    const from = `user "${user.name}" in ${user.file} gets its credentials from a program, ${program}, which is on this machine alone`;
    const place = files.size === 1 ? ` --kubeconfig ${user.file}` : "";
    const advice = `make a kubeconfig that needs none with sluice generate kubeconfig --create${place} --context ${context}`;
    throw new Fault(`${from}: ${advice}`, undefined, { final: true });
  }
  const read = (source: UserEntry["key"], what: string) => readText(source, machine, `the ${what} of user "${user.name}" in ${user.file}`);
  const file = user.tokenFile === undefined ? undefined : { path: user.tokenFile };
  const token = file === undefined ? user.token : (await read(file, "tokenFile"))?.trim();
  return present({
    "client-certificate-data": base64(await read(user.certificate, "client-certificate")),
    "client-key-data": base64(await read(user.key, "client-key")),
    token,
    username,
    password,
    ...impersonationFields(impersonate),
  });
}

function impersonationFields(impersonate: Impersonation | undefined): Fields {
  if (impersonate === undefined) return {};
  const { user, uid, groups = [], extra = {} } = impersonate;
  return {
    as: user,
    "as-uid": uid,
    "as-groups": groups.length === 0 ? undefined : groups,
    "as-user-extra": Object.keys(extra).length === 0 ? undefined : extra,
  };
}

function base64(text: string | undefined): string | undefined {
  return text === undefined ? undefined : Buffer.from(text).toString("base64");
}

function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
