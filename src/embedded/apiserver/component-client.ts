import { stringAt, type KubeObject } from "../../core/object/index.ts";
import type { UserInfo } from "../authentication/index.ts";
import { notFoundError, StatusError } from "../status-error.ts";
import type { ApiClient, DeleteOptions } from "./api-client.ts";
import type { ApiServer } from "./api-server.ts";
import { applyManagedFields } from "./field-manager.ts";
import { scaleView } from "./scale-view.ts";
import type { ServedResource } from "./served-resource.ts";
import type { ApiServerWriteOptions } from "./write-options.ts";

/** The field manager of writes that the API server makes by itself. */
const ownManager = "kube-apiserver";

const scheduler: UserInfo = { username: "system:kube-scheduler", groups: ["system:authenticated"] };

/** The API server as components of the cluster use it: what they write is trusted to be valid. */
export class ComponentClient implements ApiClient {
  readonly #server: ApiServer;

  constructor(server: ApiServer) {
    this.#server = server;
  }

  read(key: string, namespace: string, name: string): KubeObject | undefined {
    return this.#server.read(key, namespace, name);
  }

  list(key: string, namespace = ""): readonly KubeObject[] {
    return this.#server.list(key, namespace);
  }

  ownedBy(uid: string): readonly { readonly resource: string; readonly object: KubeObject }[] {
    return this.#server.store.ownedBy(uid);
  }

  create(key: string, object: KubeObject, manager: string): KubeObject {
    return this.#server.createAs(this.#stored(key), object, { manager, trusted: true, internal: manager === ownManager });
  }

  update(key: string, object: KubeObject, manager: string): KubeObject {
    const live = this.read(key, object.metadata.namespace ?? "", object.metadata.name);
    const part = controllerSubresource(key, live, object);
    if (part.subresource === "binding") this.#admitBinding(object);
    return this.#updateTrusted(key, object, { manager, ...part });
  }

  updateScale(key: string, object: KubeObject, manager: string): KubeObject {
    return this.#updateTrusted(key, object, { manager, admittedAs: scaleView(this.#stored(key)) });
  }

  updateStatus(key: string, object: KubeObject, manager: string): KubeObject {
    return this.#updateTrusted(key, object, { manager, subresource: "status" });
  }

  apply(key: string, config: KubeObject, manager: string): KubeObject {
    return this.#applyTrusted(key, config, { manager });
  }

  applyStatus(key: string, config: KubeObject, manager: string): KubeObject {
    return this.#applyTrusted(key, config, { manager, subresource: "status" });
  }

  #applyTrusted(key: string, config: KubeObject, options: ApiServerWriteOptions): KubeObject {
    const resource = this.#stored(key);
    const live = this.read(key, config.metadata.namespace ?? "", config.metadata.name);
    if (live === undefined) throw notFoundError(resource, config.metadata.name);
    const merged = applyManagedFields(
      resource,
      live,
      config,
      { ...options, ...this.#server.fieldConversion(resource), force: true },
      this.#server.timestamp(),
    );
    return this.#server.updateAs(resource, live, merged, { ...options, owned: true, trusted: true });
  }

  delete(key: string, namespace: string, name: string, options: DeleteOptions = {}): void {
    const resource = this.#stored(key);
    if (this.#server.store.read(key, namespace, name) !== undefined) this.#server.deleteAs(resource, namespace, name, options);
  }

  /** A scheduler creates a Binding; that its pod changes is the API server's own doing. */
  #admitBinding({ metadata: { name, namespace = "" }, spec }: KubeObject): void {
    const pods = this.#stored("pods");
    const target = { kind: "Node", name: stringAt(spec, "nodeName", "") };
    const binding = { apiVersion: "v1", kind: "Binding", metadata: { name, namespace }, target };
    const options = { subresource: "binding", objectKind: { group: "", version: "v1", kind: "Binding" }, user: scheduler };
    this.#server.validateCreate(pods, this.#server.admitCreate(pods, binding, options), options);
  }

  #updateTrusted(key: string, object: KubeObject, options: ApiServerWriteOptions): KubeObject {
    const resource = this.#stored(key);
    const { namespace = "", name } = object.metadata;
    const live = this.read(key, namespace, name);
    if (live === undefined) throw notFoundError(resource, name);
    const internal = options.manager === ownManager || options.subresource === "binding";
    return this.#server.updateAs(resource, live, object, { ...options, trusted: true, internal });
  }

  #stored(key: string): ServedResource {
    const resource = this.#server.catalog.stored(key);
    if (resource === undefined) throw new StatusError(404, "NotFound", "the server could not find the requested resource");
    return resource;
  }
}

/**
 * What changes through a subresource alone, and controllers write: a namespace's spec.finalizers, a pod's spec.nodeName and
 * the decision on a CertificateSigningRequest.
 */
function controllerSubresource(key: string, live: KubeObject | undefined, next: KubeObject): { subresource?: string } {
  if (key === "namespaces") return { subresource: "finalize" };
  if (key === "certificatesigningrequests.certificates.k8s.io") return { subresource: "approval" };
  const binds = key === "pods" && !stringAt(live, "spec.nodeName") && stringAt(next, "spec.nodeName", "") !== "";
  return binds ? { subresource: "binding" } : {};
}
