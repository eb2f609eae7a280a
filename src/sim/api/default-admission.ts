import { allocateService } from "../builtin/index.ts";
import * as refuse from "../refusal.ts";
import type { Admission } from "./admission.ts";
import type { ApiServer } from "./server.ts";
import { serviceAddresses } from "./service-addresses.ts";

/** What a real API server's default admission does to writes. `server` is asked for late, since it is made with this. */
export function defaultAdmission(server: () => ApiServer, random: () => number): Admission {
  return {
    mutate({ operation, resource, object, live }) {
      if (resource.key !== "services" || operation === "DELETE") return object;
      const { service, errors } = allocateService(object, live, serviceAddresses(server(), random, live));
      if (errors.length > 0) throw refuse.invalid(resource, object.metadata.name, errors);
      return service;
    },
    validate() {},
  };
}
