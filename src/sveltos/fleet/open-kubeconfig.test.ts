import assert from "node:assert/strict";
import { test } from "node:test";
import { RealClock } from "../../core/clock/index.ts";
import { thisMachine } from "../../kube/index.ts";
import { serveExchange } from "../../server/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import { writeYaml } from "../../lang/yaml/index.ts";
import { networkOpener } from "./index.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");

function kubeconfig(cluster: object, user: object): string {
  return writeYaml({
    kind: "Config",
    "current-context": "x",
    clusters: [{ name: "c", cluster }],
    users: [{ name: "u", user }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
  });
}

test("a kubeconfig text opens its cluster", async (t) => {
  const clock = new RealClock();
  const { exchange, stop } = startEmbeddedCluster({ clock });
  const served = await serveExchange(exchange, { now: new Date() });
  const { certificate, key } = served.client;
  const config = kubeconfig(
    { server: served.url, "certificate-authority-data": base64(served.authority) },
    { "client-certificate-data": base64(certificate), "client-key-data": base64(key) },
  );
  const opened = await networkOpener(thisMachine(), clock)(config, "mgmt/c1");
  t.after(async () => {
    opened.close();
    stop();
    await served.close();
  });
  assert.match((await opened.cluster.version()).gitVersion, /^v1\./);
});

const refusals: Readonly<Record<string, readonly [user: object, because: RegExp]>> = {
  "reads no file": [{ "client-certificate": "/etc/passwd", "client-key": "/etc/passwd" }, /names the file \/etc\/passwd/],
  "runs no program": [
    { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "touch", interactiveMode: "Never" } },
    /wants to run touch/,
  ],
};

async function reach(user: object): Promise<void> {
  const opened = await networkOpener(thisMachine(), new RealClock())(kubeconfig({ server: "https://127.0.0.1:1" }, user), "mgmt/c1");
  await opened.cluster.raw({ method: "GET", path: "/version" }).finally(() => opened.close());
}

for (const [what, [user, because]] of Object.entries(refusals)) {
  test(`a kubeconfig from a Secret ${what} of this machine`, async () => {
    await assert.rejects(reach(user), (error: Error) => because.test(error.message) || because.test(String(error.cause)));
  });
}

const useless: Readonly<Record<string, RegExp>> = {
  "{{{": /^the kubeconfig of mgmt\/c1:2: /,
  "only words": /^the kubeconfig of mgmt\/c1 is none: it should say "kind: Config"$/,
  "kind: Config": /^the kubeconfig of mgmt\/c1 has no current-context$/,
  "{kind: Config, current-context: x, contexts: []}": /^the kubeconfig of mgmt\/c1 has no context x, which is its current one$/,
};

for (const [text, message] of Object.entries(useless)) {
  test(`a Secret with ${text} gets a message for its author`, async () => {
    await assert.rejects(networkOpener(thisMachine(), new RealClock())(text, "mgmt/c1"), { message });
  });
}
