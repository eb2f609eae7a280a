import { stringAt, type Fields } from "../../../core/object/index.ts";
import { changed, changedItems, filled } from "../field-edits.ts";

const imageName =
  /^(?:(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)(?:\.[a-zA-Z0-9-]+)*(?::[0-9]+)?\/)?[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*(?::([\w][\w.-]{0,127}))?(@[a-zA-Z][a-zA-Z0-9]*:[0-9a-fA-F]{32,})?$/;

/** The pull policy of a container that sets none. Models pkg/apis/core/v1/defaults.go SetDefaults_Container */
export function pullPolicyOf(image: string): string {
  const parts = imageName.exec(image);
  if (!parts) return "IfNotPresent";
  const [, tag, digest] = parts;
  return tag === "latest" || (tag === undefined && digest === undefined) ? "Always" : "IfNotPresent";
}

const fieldRef = (ref: Fields): Fields => filled(ref, { apiVersion: "v1" });

/** The defaults of `fieldRef` in environment variables and volumes. */
export const withFieldRef = (source: Fields): Fields => changed(source, "fieldRef", fieldRef);

function env(variable: Fields): Fields {
  return changed(variable, "valueFrom", (source) => changed(withFieldRef(source), "fileKeyRef", (ref) => filled(ref, { optional: false })));
}

const httpGet = (action: Fields): Fields => filled(action, { path: "/", scheme: "HTTP" });

function probe(fields: Fields): Fields {
  const timed = filled(fields, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
  return changed(changed(timed, "httpGet", httpGet), "grpc", (action) => filled(action, { service: "" }));
}

const hook = (handler: Fields): Fields => changed(handler, "httpGet", httpGet);

function lifecycle(fields: Fields): Fields {
  return changed(changed(fields, "postStart", hook), "preStop", hook);
}

/** Models pkg/apis/core/v1/zz_generated.defaults.go, the part of one container. */
export function containerDefaults(container: Fields): Fields {
  const named = filled(container, {
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    imagePullPolicy: pullPolicyOf(stringAt(container, "image", "")),
  });
  const ported = changedItems(named, "ports", (port) => filled(port, { protocol: "TCP" }));
  const probed = ["livenessProbe", "readinessProbe", "startupProbe"].reduce(
    (fields, name) => changed(fields, name, probe),
    changedItems(ported, "env", env),
  );
  return changed(probed, "lifecycle", lifecycle);
}
