import { fieldsAt, type KubeObject } from "../../core/object/index.ts";
import { admit, allocateService, confirm, type Surroundings } from "../builtin/index.ts";
import * as refuse from "../refusal.ts";
import type { Admission, Attempt } from "./admission.ts";
import { generatedName } from "./names.ts";
import type { ApiServer } from "./server.ts";
import { serviceAddresses } from "./service-addresses.ts";

/** Who writes for the API server itself. */
const writer = "kube-apiserver";

/** What a real API server's default admission does to writes. `server` is asked for late, since it is made with this. */
export function defaultAdmission(server: () => ApiServer, random: () => number): Admission {
  const around: Surroundings = {
    read: (resource, namespace, name) => server().read(resource, namespace, name),
    list: (resource, namespace) => server().list(resource, namespace),
    generatedName: (prefix) => generatedName(prefix, random),
    charge: (quota, used) => {
      const status = { ...fieldsAt(quota, "status"), used };
      server().updateStatus("resourcequotas", { ...quota, status }, writer);
    },
  };
  return {
    mutate: (attempt) => withAddresses(admit(attempt, around), attempt, server(), random),
    validate: (attempt) => confirm(attempt, around),
  };
}

function withAddresses(object: KubeObject, { resource, live }: Attempt, server: ApiServer, random: () => number): KubeObject {
  if (resource.key !== "services") return object;
  const { service, errors } = allocateService(object, live, serviceAddresses(server, random, live));
  if (errors.length > 0) throw refuse.invalid(resource, object.metadata.name, errors);
  return service;
}
