import { fieldsAt, type KubeObject } from "../../core/object/index.ts";
import { AdmissionChain, admissionPlugins, allocateService, type AdmissionContext, type AdmissionPlugin } from "../builtin/index.ts";
import { invalidError } from "../status-error.ts";
import type { Admission, ResourceAttributes } from "./admission.ts";
import { generateName } from "./generate-name.ts";
import type { ApiServer } from "./api-server.ts";
import { serviceAllocatorFor } from "./service-allocator.ts";

/** The field manager of writes that the API server makes itself. */
const writer = "kube-apiserver";

/** Refuses a write of roles and bindings that would give away more than its user has. Throws a StatusError. */
type PolicyCheck = (attributes: ResourceAttributes) => void;

type DefaultAdmissionOptions = {
  /** Default: everything may be given away. */
  readonly checkPolicy?: PolicyCheck | undefined;
  /** The plugins that objects in the cluster configure: policies and webhooks. Default: none. */
  readonly extensions?: readonly AdmissionPlugin[];
};

/** The default admission of a real API server. `server` is a function because the server is constructed with this. */
export function defaultAdmission(server: () => ApiServer, random: () => number, options: DefaultAdmissionOptions = {}): Admission {
  const { checkPolicy, extensions = [] } = options;
  const context: AdmissionContext = {
    read: (resource, namespace, name) => server().read(resource, namespace, name),
    list: (resource, namespace) => server().list(resource, namespace),
    generateName: (prefix) => generateName(prefix, random),
    updateQuotaUsage: (quota, used) => {
      const status = { ...fieldsAt(quota, "status"), used };
      server().components.updateStatus("resourcequotas", { ...quota, status }, writer);
    },
  };
  const chain = new AdmissionChain(admissionPlugins(extensions), context);
  return {
    mutate: (attributes) => {
      const object = withAddresses(chain.mutate(attributes), attributes, server(), random);
      checkPolicy?.({ ...attributes, object });
      return object;
    },
    validate: (attributes) => chain.validate(attributes),
  };
}

function withAddresses(object: KubeObject, { resource, live }: ResourceAttributes, server: ApiServer, random: () => number): KubeObject {
  if (resource.key !== "services") return object;
  const { service, errors } = allocateService(object, live, serviceAllocatorFor(server, random, live));
  if (errors.length > 0) throw invalidError(resource, object.metadata.name, errors);
  return service;
}
