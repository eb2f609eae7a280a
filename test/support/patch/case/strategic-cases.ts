import { conf, join, loose, role, service, web, widget, type PatchCase } from "../patch-case.ts";

const deployments = { kind: "Deployment" };
const head = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\n";
const configHead = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf, namespace: shop}\n";
const widgetHead = "apiVersion: acme.io/v1\nkind: Widget\nmetadata: {name: w, namespace: shop}\n";

/** Strategic merge patches of objects and maps, and what they may not change. */
export const strategicCases: readonly PatchCase[] = [
  { what: "fields merge", objects: web, patches: [{ target: deployments, patch: `${head}spec: {replicas: 3, paused: true}` }] },
  { what: "null deletes a field", objects: web, patches: [{ patch: `${head}spec: {strategy: null, replicas: null}` }] },
  { what: "null of a missing field does nothing", objects: web, patches: [{ patch: `${head}spec: {paused: null}` }] },
  {
    what: "nulls in an added map are left out",
    objects: conf,
    patches: [{ patch: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf, namespace: shop, annotations: {x: null, u: z}}" }],
  },
  { what: "null empties a map", objects: conf, patches: [{ patch: `${configHead}data: null` }] },
  {
    what: "the name of a patch does not rename",
    objects: web,
    patches: [{ target: deployments, patch: "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: other}\nspec: {replicas: 2}" }],
  },
  {
    what: "the namespace of a patch does not move",
    objects: web,
    patches: [
      { target: deployments, patch: "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: other}\nspec: {replicas: 2}" },
    ],
  },
  {
    what: "the namespace of a patch is not given to what has none",
    objects: loose,
    patches: [{ target: { kind: "ConfigMap" }, patch: "kind: ConfigMap\nmetadata: {name: loose, namespace: other}\ndata: {a: '2'}" }],
  },
  {
    what: "the kind and version of a patch do not change those of the target",
    objects: web,
    patches: [{ target: deployments, patch: "apiVersion: example.io/v2\nkind: Other\nmetadata: {name: x}\nspec: {replicas: 2}" }],
  },
  {
    what: "the lists of a target merge by its own kind",
    objects: web,
    patches: [
      {
        target: deployments,
        patch: "apiVersion: v1\nkind: Other\nmetadata: {name: x}\nspec: {template: {spec: {containers: [{name: web, image: web:2}]}}}",
      },
    ],
  },
  {
    what: "a patch without apiVersion",
    objects: web,
    patches: [{ target: deployments, patch: "kind: Deployment\nmetadata: {name: web}\nspec: {replicas: 2}" }],
  },
  {
    what: "a patch without kind",
    objects: web,
    patches: [{ target: deployments, patch: "apiVersion: apps/v1\nmetadata: {name: web}\nspec: {replicas: 2}" }],
  },
  {
    what: "a patch without name",
    objects: web,
    patches: [{ target: deployments, patch: "apiVersion: apps/v1\nkind: Deployment\nspec: {replicas: 2}" }],
  },
  { what: "a patch of nothing but fields", objects: web, patches: [{ target: deployments, patch: "spec: {replicas: 2}" }] },
  { what: "a patch of nothing but fields, without target", objects: conf, patches: [{ patch: "data: {a: '2'}" }] },
  {
    what: "$patch: delete deletes the object",
    objects: join(web, conf),
    patches: [{ target: { kind: "ConfigMap" }, patch: `${configHead}$patch: delete` }],
  },
  { what: "$patch: delete without target", objects: join(web, conf), patches: [{ patch: `${configHead}$patch: delete` }] },
  {
    what: "$patch: delete of several objects, by another name",
    objects: join(conf, loose, web),
    patches: [{ target: { kind: "ConfigMap" }, patch: "$patch: delete\nkind: ConfigMap\nmetadata: {name: not-used}" }],
  },
  {
    what: "$patch: delete of everything",
    objects: join(conf, loose),
    patches: [{ target: {}, patch: "$patch: delete\nkind: ConfigMap\nmetadata: {name: not-used}" }],
  },
  {
    what: "a patch of what another has deleted",
    objects: join(web, conf),
    patches: [{ patch: `${configHead}$patch: delete` }, { target: { kind: "ConfigMap" }, patch: `${configHead}data: {a: z}` }],
  },
  {
    what: "a patch without target of what another has deleted",
    objects: join(web, conf),
    patches: [{ patch: `${configHead}$patch: delete` }, { patch: `${configHead}data: {a: z}` }],
  },
  {
    what: "$patch: replace of the object",
    objects: conf,
    patches: [
      {
        target: { kind: "ConfigMap" },
        patch: "$patch: replace\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: new, labels: {x: v}}\ndata: {c: '3'}",
      },
    ],
  },
  {
    what: "$patch: merge of the object",
    objects: conf,
    patches: [{ target: { kind: "ConfigMap" }, patch: `$patch: merge\n${configHead}data: {c: '3'}` }],
  },
  { what: "$patch: replace of a map", objects: conf, patches: [{ patch: `${configHead}data: {$patch: replace, c: '3'}` }] },
  { what: "$patch: delete of a map", objects: conf, patches: [{ patch: `${configHead}data: {$patch: delete}` }] },
  { what: "$patch: merge of a map", objects: conf, patches: [{ patch: `${configHead}data: {$patch: merge, c: '3'}` }] },
  {
    what: "$patch: replace of a missing map",
    objects: loose,
    patches: [{ patch: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: loose}\nbinaryData: {$patch: replace, c: eA==}" }],
  },
  {
    what: "$patch: delete of a missing map",
    objects: loose,
    patches: [{ patch: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: loose}\nbinaryData: {$patch: delete}" }],
  },
  { what: "an unknown $patch", objects: conf, patches: [{ patch: `${configHead}data: {$patch: remove}` }] },
  {
    what: "directives inside of an added part",
    objects: loose,
    patches: [{ patch: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: loose, annotations: {$patch: merge, x: v}, labels: {a: b}}" }],
  },
  {
    what: "$patch: delete inside of an added part",
    objects: widget,
    patches: [{ patch: `${widgetHead}spec: {more: {keep: 1, gone: {$patch: delete, x: 1}}}` }],
  },
  { what: "$retainKeys", objects: web, patches: [{ patch: `${head}spec: {strategy: {$retainKeys: [type], type: Recreate}}` }] },
  { what: "an atomic map merges", objects: web, patches: [{ patch: `${head}spec: {template: {spec: {nodeSelector: {zone: a}}}}` }] },
  { what: "a scalar where the object has a map", objects: web, patches: [{ patch: `${head}spec: {strategy: Recreate}` }] },
  { what: "a map where the object has a scalar", objects: web, patches: [{ patch: `${head}spec: {replicas: {a: 1}}` }] },
  { what: "a list where the object has a map", objects: widget, patches: [{ patch: `${widgetHead}spec: {options: [1]}` }] },
  { what: "a map where the object has a list", objects: widget, patches: [{ patch: `${widgetHead}spec: {tags: {a: 1}}` }] },
  { what: "a scalar of another type", objects: widget, patches: [{ patch: `${widgetHead}spec: {size: large}` }] },
  {
    what: "maps of a kind without schema merge",
    objects: widget,
    patches: [{ patch: `${widgetHead}spec: {options: {deep: {x: null, q: 3}, wide: true}}` }],
  },
  {
    what: "lists of a kind without schema are replaced",
    objects: widget,
    patches: [{ patch: `${widgetHead}spec: {parts: [{name: a, size: 9}], tags: [z]}` }],
  },
  {
    what: "finalizers of a kind without schema are replaced",
    objects: widget,
    patches: [{ target: { kind: "Widget" }, patch: "apiVersion: acme.io/v1\nkind: Widget\nmetadata: {name: w, finalizers: [a.io/two]}" }],
  },
  {
    what: "$patch: replace of a map of a kind without schema",
    objects: widget,
    patches: [{ patch: `${widgetHead}spec: {options: {$patch: replace, only: 1}}` }],
  },
  {
    what: "$patch: delete of an element of a list of a kind without schema",
    objects: widget,
    patches: [{ patch: `${widgetHead}spec: {parts: [{$patch: delete, name: a}]}` }],
  },
  { what: "an empty map in a patch", objects: web, patches: [{ patch: `${head}spec: {strategy: {}}` }] },
  {
    what: "numbers and texts that look like them",
    objects: conf,
    patches: [{ patch: `${configHead}data: {a: "007", b: "1e3", c: "on", d: "null"}` }],
  },
  {
    what: "two patches of one object, the later wins",
    objects: web,
    patches: [{ patch: `${head}spec: {replicas: 2}` }, { target: deployments, patch: `${head}spec: {replicas: 5, paused: true}` }],
  },
  {
    what: "a patch and a JSON patch, in their order",
    objects: web,
    patches: [
      { patch: `${head}spec: {replicas: 2}` },
      { target: deployments, patch: "- {op: test, path: /spec/replicas, value: 2}\n- {op: replace, path: /spec/replicas, value: 7}" },
    ],
  },
  {
    what: "several documents without target",
    objects: join(web, conf),
    patches: [{ patch: `${head}spec: {replicas: 2}\n---\n${configHead}data: {a: z}` }],
  },
  {
    what: "several documents with a target",
    objects: join(web, conf),
    patches: [{ target: deployments, patch: `${head}spec: {replicas: 2}\n---\n${configHead}data: {a: z}` }],
  },
  {
    what: "one of several documents matches nothing",
    objects: join(web, conf),
    patches: [{ patch: `${head}spec: {replicas: 2}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: none}` }],
  },
  {
    what: "a patch of kind List",
    objects: join(web, conf),
    patches: [
      {
        patch: `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}, spec: {replicas: 4}}\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: conf, namespace: shop}, data: {a: z}}`,
      },
    ],
  },
  { what: "an empty patch", objects: conf, patches: [{ target: {}, patch: "" }] },
  { what: "a patch of comments", objects: conf, patches: [{ target: {}, patch: "# nothing" }] },
  { what: "a patch that is a text", objects: conf, patches: [{ target: {}, patch: "hello" }] },
  { what: "a patch that is no YAML", objects: conf, patches: [{ target: {}, patch: "a: [" }] },
  {
    what: "an empty element in a list of a patch",
    objects: role,
    patches: [{ patch: "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: reader}\nrules: [null]" }],
  },
  {
    what: "a patch written as JSON",
    objects: service,
    patches: [
      { target: {}, patch: '{"kind": "Service", "apiVersion": "v1", "metadata": {"name": "x"}, "spec": {"type": "LoadBalancer"}}' },
    ],
  },
];
