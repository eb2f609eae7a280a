import { conf, join, loose, role, service, web, widget, type PatchCase } from "../patch-case.ts";

type Target = NonNullable<PatchCase["patches"][number]["target"]>;

const everything = join(web, conf, service, widget, role, loose);
const mark = "kind: Any\nmetadata: {name: any, labels: {marked: 'yes'}}";
const marked = (what: string, target: Target): PatchCase => ({ what, objects: everything, patches: [{ target, patch: mark }] });

/** Which objects a patch changes. */
export const targetCases: readonly PatchCase[] = [
  marked("an empty target selects everything", {}),
  marked("by kind", { kind: "ConfigMap" }),
  marked("by a part of a kind", { kind: "Config" }),
  marked("by an expression for kinds", { kind: "Config.*|Service" }),
  marked("by an anchored expression", { kind: "^ConfigMap$" }),
  marked("by group", { group: "apps" }),
  marked("by a part of a group", { group: "acme" }),
  marked("by an expression for groups", { group: ".*\\.io" }),
  marked("by an empty group", { group: "" }),
  marked("by version", { version: "v1" }),
  marked("by a version that nothing has", { version: "v2" }),
  marked("by name", { name: "web" }),
  marked("by a part of a name", { name: "we" }),
  marked("by an expression for names", { name: "w.*" }),
  marked("by alternatives", { name: "w|conf" }),
  marked("by an expression in upper case", { name: "(?i)WEB" }),
  marked("by namespace", { namespace: "shop" }),
  marked("by a part of a namespace", { namespace: "sho" }),
  marked("by an expression for namespaces", { namespace: "s.*" }),
  marked("by any namespace", { namespace: ".*" }),
  marked("by the default namespace", { namespace: "default" }),
  marked("by label", { labelSelector: "app=web" }),
  marked("by a set of labels", { labelSelector: "tier in (front, back)" }),
  marked("by a missing label", { labelSelector: "!tier" }),
  marked("by a label and no other", { labelSelector: "tier,tier!=front" }),
  marked("by annotation", { annotationSelector: "team=shop" }),
  marked("by a missing annotation", { annotationSelector: "!team" }),
  marked("by everything at once", {
    group: "apps",
    version: "v1",
    kind: "Deployment",
    name: "web",
    namespace: "shop",
    labelSelector: "app=web",
    annotationSelector: "team",
  }),
  marked("by all but one", { group: "apps", version: "v1", kind: "Deployment", name: "web", namespace: "other" }),
  marked("an invalid expression", { name: "w(" }),
  marked("an expression that Go does not have", { name: "(?=w)" }),
  marked("an invalid label selector", { labelSelector: "a in" }),
  marked("an invalid annotation selector", { annotationSelector: "=b=c" }),
  {
    what: "an invalid expression in a patch of nothing that is there",
    objects: conf,
    patches: [{ target: { kind: "Secret", name: "[" }, patch: mark }],
  },
  { what: "a target that matches nothing", objects: conf, patches: [{ target: { kind: "Secret" }, patch: mark }] },
  {
    what: "a JSON patch that matches nothing",
    objects: conf,
    patches: [{ target: { kind: "Secret" }, patch: "- {op: test, path: /none, value: 1}" }],
  },
  {
    what: "a label that an earlier patch added",
    objects: conf,
    patches: [
      { target: {}, patch: mark },
      { target: { labelSelector: "marked=yes" }, patch: "- {op: replace, path: /data/a, value: z}" },
    ],
  },
  {
    what: "without target, by the patch's own identity",
    objects: everything,
    patches: [{ patch: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf, namespace: shop, labels: {x: v}}" }],
  },
  {
    what: "without target, in no namespace",
    objects: everything,
    patches: [{ patch: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: loose, labels: {x: v}}" }],
  },
  {
    what: "without target, in the default namespace",
    objects: everything,
    patches: [{ patch: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: loose, namespace: default, labels: {x: v}}" }],
  },
  {
    what: "without target, without the namespace of the object",
    objects: everything,
    patches: [{ patch: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf, labels: {x: v}}" }],
  },
  {
    what: "without target, in another version",
    objects: everything,
    patches: [{ patch: "apiVersion: v2\nkind: ConfigMap\nmetadata: {name: conf, namespace: shop, labels: {x: v}}" }],
  },
  {
    what: "without target and apiVersion",
    objects: everything,
    patches: [{ patch: "kind: ConfigMap\nmetadata: {name: conf, namespace: shop, labels: {x: v}}" }],
  },
  {
    what: "without target, of a kind without namespace",
    objects: everything,
    patches: [
      { patch: "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: reader, namespace: any, labels: {x: v}}" },
    ],
  },
  {
    what: "without target, of what is not there",
    objects: everything,
    patches: [{ patch: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: none, namespace: shop}" }],
  },
];
