import { fieldsAt, type KubeObject } from "../../core/object/index.ts";
import { runMutatingAdmission, allocateService, runValidatingAdmission, type AdmissionContext } from "../builtin/index.ts";
import { invalidError } from "../status-error.ts";
import type { Admission, AdmissionAttributes } from "./admission.ts";
import { generateName } from "./generate-name.ts";
import type { ApiServer } from "./api-server.ts";
import { serviceAllocatorFor } from "./service-allocator.ts";

/** The field manager of writes that the API server makes itself. */
const writer = "kube-apiserver";

/** Refuses a write of roles and bindings that would give away more than its user has. Throws a StatusError. */
type PolicyCheck = (attributes: AdmissionAttributes) => void;

const allowPolicy: PolicyCheck = () => {};

/** The default admission of a real API server. `server` is a function because the server is constructed with this. */
export function defaultAdmission(server: () => ApiServer, random: () => number, checkPolicy: PolicyCheck = allowPolicy): Admission {
  const around: AdmissionContext = {
    read: (resource, namespace, name) => server().read(resource, namespace, name),
    list: (resource, namespace) => server().list(resource, namespace),
    generateName: (prefix) => generateName(prefix, random),
    updateQuotaUsage: (quota, used) => {
      const status = { ...fieldsAt(quota, "status"), used };
      server().updateStatus("resourcequotas", { ...quota, status }, writer);
    },
  };
  return {
    mutate: (attributes) => {
      const object = withAddresses(runMutatingAdmission(attributes, around), attributes, server(), random);
      checkPolicy({ ...attributes, object });
      return object;
    },
    validate: (attributes) => runValidatingAdmission(attributes, around),
  };
}

function withAddresses(object: KubeObject, { resource, live }: AdmissionAttributes, server: ApiServer, random: () => number): KubeObject {
  if (resource.key !== "services") return object;
  const { service, errors } = allocateService(object, live, serviceAllocatorFor(server, random, live));
  if (errors.length > 0) throw invalidError(resource, object.metadata.name, errors);
  return service;
}
