import { fieldsAt, listAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { userInfoFields } from "../../authentication/index.ts";
import { isUnset, withField, withoutFields } from "../field-edits.ts";
import { takeStatusOnly, withStatus, type WriteTime } from "./generation-and-status.ts";

// Models pkg/registry/certificates/certificates/strategy.go

/** Nobody chooses whom a request is made for: it is made for who creates it. */
export function prepareSigningRequest(object: KubeObject, { user }: WriteTime): KubeObject {
  const spec = withoutFields(fieldsAt(object, "spec"), "username", "uid", "groups", "extra");
  const requester = user === undefined ? {} : userInfoFields(user);
  return withStatus({ ...object, spec: { ...spec, ...requester } }, {});
}

/** A write to `approval`: only the conditions change. */
export function prepareApproval(object: KubeObject, live: KubeObject, moment: WriteTime): KubeObject {
  const conditions = timedConditions(object, live, moment);
  const { managedFields } = object.metadata;
  const metadata = managedFields === undefined ? object.metadata : { ...object.metadata, managedFields };
  return { ...live, metadata, status: withField(fieldsAt(live, "status"), "conditions", conditions) };
}

/** A write to `status`: the decision stays as it is. */
export function prepareSigningRequestStatus(object: KubeObject, live: KubeObject, moment: WriteTime): KubeObject {
  const written = takeStatusOnly(object, live);
  const kept = ["Approved", "Denied"].reduce(
    (conditions, type) => withInstances(conditions, listAt(live, "status.conditions"), type),
    [...listAt(written, "status.conditions")],
  );
  const status = withField(fieldsAt(written, "status"), "conditions", kept.length === 0 ? undefined : kept);
  const next: KubeObject = { ...written, status };
  return { ...next, status: withField(status, "conditions", timedConditions(next, live, moment)) };
}

function withInstances(conditions: readonly Fields[], live: readonly Fields[], type: string): Fields[] {
  const known = live.filter((each) => each["type"] === type);
  const count = conditions.filter((each) => each["type"] === type).length;
  if (known.length !== count) return [...conditions];
  let index = 0;
  return conditions.map((each) => (each["type"] === type ? (known[index++] ?? each) : each));
}

/** Conditions without times get them. */
function timedConditions(object: KubeObject, live: KubeObject, { now }: WriteTime): readonly Fields[] | undefined {
  const conditions = listAt(object, "status.conditions");
  if (conditions.length === 0) return undefined;
  return conditions.map((condition) => {
    const same = listAt(live, "status.conditions").find(
      (each) => each["type"] === condition["type"] && each["status"] === condition["status"] && !isUnset(each["lastTransitionTime"]),
    );
    return {
      ...condition,
      lastUpdateTime: condition["lastUpdateTime"] ?? now,
      lastTransitionTime: condition["lastTransitionTime"] ?? same?.["lastTransitionTime"] ?? now,
    };
  });
}
