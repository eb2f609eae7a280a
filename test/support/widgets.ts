/** Widgets in a short notation, as a scripted server sends them and an informer yields them. */
import type { InformerEvent } from "../../src/kube/index.ts";
import type { KubeObject } from "../../src/core/object/index.ts";

export const widgetKind = { group: "example.com", version: "v1", kind: "Widget" };

/** `web@1#5`: the object web with uid 1 in version 5. */
export function widgetObject(text: string): KubeObject {
  const [, name = "", uid = "", resourceVersion = ""] = /^(.+)@(.+)#(.+)$/.exec(text) ?? [];
  return { apiVersion: "example.com/v1", kind: "Widget", metadata: { name, namespace: "default", uid, resourceVersion } };
}

export function changeText(change: InformerEvent): string {
  if (change.type === "synced") return "synced";
  if (change.type === "interrupted") return "interrupted";
  const { name, uid, resourceVersion } = change.object.metadata;
  return `${change.type} ${name}@${uid}#${resourceVersion}`;
}

export const widgetList = (resourceVersion: string, objects: string) => ({
  kind: "WidgetList",
  metadata: { resourceVersion },
  items: objects.split(" ").filter(Boolean).map(widgetObject),
});
export const watchEventLine = (type: string, text: string) => `${JSON.stringify({ type, object: widgetObject(text) })}\n`;
export const failureStatus = (code: number, reason: string) => ({
  apiVersion: "v1",
  kind: "Status",
  status: "Failure",
  code,
  reason,
  message: reason,
});
export const widgetResourceList = {
  groupVersion: "example.com/v1",
  resources: [{ name: "widgets", kind: "Widget", namespaced: true, verbs: ["list", "watch"] }],
};
