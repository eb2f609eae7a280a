import { conf, join, loose, service, web, widget, type PatchCase } from "../patch-case.ts";

const all = (patch: string): PatchCase["patches"] => [{ target: {}, patch }];

/** JSON patches, RFC 6902. */
export const jsonCases: readonly PatchCase[] = [
  { what: "replace", objects: web, patches: all("- {op: replace, path: /spec/replicas, value: 3}") },
  { what: "replace of a missing field", objects: web, patches: all("- {op: replace, path: /spec/paused, value: true}") },
  { what: "replace beneath a missing field", objects: web, patches: all("- {op: replace, path: /spec/none/x, value: true}") },
  { what: "add", objects: conf, patches: all("- {op: add, path: /data/c, value: '3'}") },
  { what: "add of a field that exists", objects: conf, patches: all("- {op: add, path: /data/a, value: '3'}") },
  { what: "add beneath a missing field", objects: loose, patches: all("- {op: add, path: /metadata/labels/x, value: v}") },
  { what: "add of a map", objects: loose, patches: all("- {op: add, path: /metadata/labels, value: {x: v}}") },
  { what: "add of null", objects: widget, patches: all("- {op: add, path: /spec/options, value: null}") },
  { what: "add without value", objects: widget, patches: all("- {op: add, path: /spec/options}") },
  {
    what: "append to a list",
    objects: web,
    patches: all("- {op: add, path: /spec/template/spec/tolerations/-, value: {key: b, operator: Exists}}"),
  },
  {
    what: "insert into a list",
    objects: web,
    patches: all("- {op: add, path: /spec/template/spec/containers/1, value: {name: mid, image: mid:1}}"),
  },
  {
    what: "insert past the end of a list",
    objects: web,
    patches: all("- {op: add, path: /spec/template/spec/containers/7, value: {name: mid}}"),
  },
  { what: "a negative index", objects: web, patches: all("- {op: replace, path: /spec/template/spec/containers/-1/image, value: side:9}") },
  { what: "remove", objects: conf, patches: all("- {op: remove, path: /data/a}") },
  { what: "remove of an element", objects: web, patches: all("- {op: remove, path: /spec/template/spec/containers/0}") },
  { what: "remove of a missing field", objects: conf, patches: all("- {op: remove, path: /data/none}") },
  {
    what: "remove of a missing field and another change",
    objects: conf,
    patches: all("- {op: remove, path: /data/none}\n- {op: replace, path: /data/a, value: z}"),
  },
  {
    what: "remove of what was added before",
    objects: conf,
    patches: all("- {op: add, path: /data/c, value: z}\n- {op: remove, path: /data/c}"),
  },
  { what: "move", objects: conf, patches: all("- {op: move, from: /data/a, path: /data/c}") },
  { what: "move of a missing field", objects: conf, patches: all("- {op: move, from: /data/none, path: /data/c}") },
  { what: "copy", objects: conf, patches: all("- {op: copy, from: /data/a, path: /data/c}") },
  { what: "copy of a missing field", objects: widget, patches: all("- {op: copy, from: /spec/none, path: /spec/c}") },
  {
    what: "test that holds",
    objects: conf,
    patches: all("- {op: test, path: /data/a, value: '1'}\n- {op: replace, path: /data/a, value: z}"),
  },
  {
    what: "test that fails",
    objects: conf,
    patches: all("- {op: test, path: /data/a, value: '9'}\n- {op: replace, path: /data/a, value: z}"),
  },
  {
    what: "test of a map",
    objects: widget,
    patches: all("- {op: test, path: /spec/options, value: {deep: {z: 2, x: 1}}}\n- {op: replace, path: /spec/size, value: 2}"),
  },
  { what: "test of a missing field", objects: conf, patches: all("- {op: test, path: /data/none, value: null}") },
  { what: "an unknown operation", objects: conf, patches: all("- {op: put, path: /data/a, value: z}") },
  {
    what: "escaped pointers",
    objects: conf,
    patches: all("- {op: replace, path: /data/sl~1ash, value: X}\n- {op: replace, path: /data/til~0de, value: T}"),
  },
  { what: "an escaped pointer with both", objects: loose, patches: all("- {op: add, path: /data/a~01b, value: X}") },
  { what: "JSON form", objects: conf, patches: all('[{"op": "replace", "path": "/data/a", "value": "z"}]') },
  {
    what: "JSON form over several lines",
    objects: conf,
    patches: all('\n[\n  {"op": "replace",\n   "path": "/data/a", "value": "z"}\n]\n'),
  },
  { what: "YAML in brackets", objects: conf, patches: all("[{op: replace, path: /data/a, value: z}]") },
  {
    what: "several operations, each on what the last left",
    objects: conf,
    patches: all("- {op: add, path: /data/c, value: '1'}\n- {op: copy, from: /data/c, path: /data/d}\n- {op: remove, path: /data/c}"),
  },
  {
    what: "a failing operation leaves nothing changed",
    objects: join(conf, loose),
    patches: all("- {op: replace, path: /data/a, value: z}\n- {op: test, path: /data/b, value: '2'}"),
  },
  { what: "an empty list of operations", objects: conf, patches: all("[]") },
  { what: "an operation without op", objects: conf, patches: all("- {path: /data/a, value: z}") },
  { what: "an operation that is a text", objects: conf, patches: all("- hello") },
  { what: "a pointer without slash", objects: conf, patches: all("- {op: replace, path: data, value: z}") },
  { what: "without target", objects: conf, patches: [{ patch: "- {op: replace, path: /data/a, value: z}" }] },
  { what: "a new name", objects: conf, patches: all("- {op: replace, path: /metadata/name, value: renamed}") },
  { what: "a new namespace", objects: conf, patches: all("- {op: replace, path: /metadata/namespace, value: moved}") },
  { what: "a new kind", objects: conf, patches: all("- {op: replace, path: /kind, value: Secret}") },
  { what: "no name any more", objects: conf, patches: all("- {op: remove, path: /metadata/name}") },
  { what: "no kind any more", objects: conf, patches: all("- {op: remove, path: /kind}") },
  { what: "labels are removed", objects: web, patches: all("- {op: remove, path: /metadata/labels}") },
  { what: "annotations are replaced", objects: web, patches: all("- {op: replace, path: /metadata/annotations, value: {x: v}}") },
  {
    what: "the old name still selects",
    objects: conf,
    patches: [
      ...all("- {op: replace, path: /metadata/name, value: renamed}"),
      { target: { name: "conf" }, patch: "- {op: add, path: /data/c, value: '3'}" },
    ],
  },
  {
    what: "the new name selects too",
    objects: conf,
    patches: [
      ...all("- {op: replace, path: /metadata/name, value: renamed}"),
      { target: { name: "renamed" }, patch: "- {op: add, path: /data/c, value: '3'}" },
    ],
  },
  {
    what: "the old name still identifies",
    objects: conf,
    patches: [
      ...all("- {op: replace, path: /metadata/name, value: renamed}"),
      { patch: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf, namespace: shop}\ndata: {c: '3'}" },
    ],
  },
  {
    what: "the new name identifies too",
    objects: conf,
    patches: [
      ...all("- {op: replace, path: /metadata/name, value: renamed}"),
      { patch: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: renamed, namespace: shop}\ndata: {c: '3'}" },
    ],
  },
  {
    what: "the old namespace still selects",
    objects: conf,
    patches: [
      ...all("- {op: replace, path: /metadata/namespace, value: moved}"),
      { target: { namespace: "shop" }, patch: "- {op: add, path: /data/c, value: '3'}" },
    ],
  },
  {
    what: "the old kind does not select",
    objects: conf,
    patches: [
      ...all("- {op: replace, path: /kind, value: Secret}"),
      { target: { kind: "ConfigMap" }, patch: "- {op: add, path: /data/c, value: '3'}" },
    ],
  },
  {
    what: "references follow a new name",
    objects: join(web, conf),
    patches: [{ target: { kind: "ConfigMap" }, patch: "- {op: replace, path: /metadata/name, value: renamed}" }],
  },
  {
    what: "several documents of operations",
    objects: join(conf, service),
    patches: [
      { target: { kind: "ConfigMap" }, patch: "- {op: replace, path: /data/a, value: z}\n---\n- {op: replace, path: /data/b, value: z}" },
    ],
  },
];
