import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, type KubeObject } from "../../core/object/index.ts";
import { cureMatcher, type ChangedObject, type Cure } from "./index.ts";

const make = (apiVersion: string, kind: string, name: string, namespace = "", more: object = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace === "" ? {} : { namespace }) },
  ...more,
});
const crd = (group: string, kind: string) =>
  make("apiextensions.k8s.io/v1", "CustomResourceDefinition", `${kind.toLowerCase()}s.${group}`, "", { spec: { group, names: { kind } } });
const hooks = (name: string, service: string) =>
  make("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "hooks", "", {
    webhooks: [{ name, clientConfig: { service: { namespace: "ops", name: service } } }],
  });
const rbac = "rbac.authorization.k8s.io/v1";
const binding = (subject: object, role = "deployer") =>
  make(rbac, "RoleBinding", "b", "shop", { subjects: [subject], roleRef: { kind: "Role", name: role } });
const bot = { kind: "ServiceAccount", name: "bot", namespace: "ci" };
const quota = make("v1", "ResourceQuota", "q", "shop");
const account = make("v1", "ServiceAccount", "robot", "shop");

const applied = (manifest: KubeObject): ChangedObject => ({ ref: refOf(manifest), verb: "apply", manifest });
const deleted = (manifest: KubeObject): ChangedObject => ({ ref: refOf(manifest), verb: "delete" });
const anyhow = (manifest: KubeObject): ChangedObject => ({ ref: refOf(manifest) });

const robot: Cure = { by: "object", group: "", kind: "ServiceAccount", namespace: "shop", name: "robot" };
const raised: Cure = { by: "object", group: "", kind: "ResourceQuota", namespace: "shop", name: "q", deleted: true };
const definition: Cure = { by: "definition", group: "example.com", kind: "Foo" };
const room: Cure = { by: "deletion", namespace: "shop" };
const webhook: Cure = { by: "webhook", name: "check.example.com" };
const backend: Cure = { by: "backend", namespace: "ops", name: "hook" };
const grant: Cure = { by: "grant", user: "system:serviceaccount:ci:bot", groups: ["dev"] };

type Row = readonly [cure: Cure, change: ChangedObject, may: boolean, known?: readonly KubeObject[]];

const rows: Readonly<Record<string, Row>> = {
  "the object that is missing": [robot, applied(account), true],
  "the object that is missing, in another namespace": [
    robot,
    applied({ ...account, metadata: { name: "robot", namespace: "other" } }),
    false,
  ],
  "the object that is missing, when it goes": [robot, deleted(account), false],
  "a quota that is raised": [raised, applied(quota), true],
  "a quota that goes": [raised, deleted(quota), true],
  "another quota": [raised, applied(make("v1", "ResourceQuota", "r", "shop")), false],
  "the kind's definition": [definition, applied(crd("example.com", "Foo")), true],
  "the definition of another kind": [definition, applied(crd("example.com", "Bar")), false],
  "a definition that goes": [definition, deleted(crd("example.com", "Foo")), false],
  "a definition of which only the name is known": [definition, anyhow(crd("example.com", "Bar")), true],
  "a deletion": [room, deleted(account), true],
  "a deletion elsewhere": [room, deleted(make("v1", "Pod", "p", "other")), false],
  "an apply makes no room": [room, applied(account), false],
  "the webhook's configuration": [webhook, applied(hooks("check.example.com", "hook")), true],
  "a configuration that had the webhook": [
    webhook,
    applied(make(hooks("", "").apiVersion, hooks("", "").kind, "hooks")),
    true,
    [hooks("check.example.com", "hook")],
  ],
  "a configuration that goes": [webhook, deleted(hooks("check.example.com", "hook")), true],
  "a configuration that goes and never had the webhook": [webhook, deleted(hooks("other", "hook")), false, [hooks("other", "hook")]],
  "what serves the webhook": [webhook, applied(make("apps/v1", "Deployment", "d", "ops")), true, [hooks("check.example.com", "hook")]],
  "what serves another webhook": [webhook, applied(make("v1", "Service", "other", "ops")), false, [hooks("check.example.com", "hook")]],
  "the Service": [backend, applied(make("v1", "Service", "hook", "ops")), true],
  "a ConfigMap beside the Service": [backend, applied(make("v1", "ConfigMap", "hook", "ops")), false],
  "a binding of the user": [grant, applied(binding(bot)), true],
  "a binding of the user's group": [grant, applied(binding({ kind: "Group", name: "dev" })), true],
  "a binding of somebody else": [grant, applied(binding({ kind: "User", name: "jane" })), false],
  "a role that is bound to the user": [grant, applied(make(rbac, "Role", "deployer", "shop")), true, [binding(bot)]],
  "a role that is bound to nobody here": [grant, applied(make(rbac, "Role", "deployer", "shop")), false, [binding(bot, "other")]],
  "a binding that goes": [grant, deleted(binding(bot)), false],
};

for (const [what, [cure, change, may, known = []]] of Object.entries(rows)) {
  test(`${what} ${may ? "may cure" : "cures nothing"}`, () => assert.equal(cureMatcher(known)(cure, change), may));
}
