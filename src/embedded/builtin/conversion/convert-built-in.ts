import type { KubeObject } from "../../../core/object/index.ts";
import { encodedObject } from "../wire/encode.ts";
import { autoscalerToFirst, autoscalerToSecond } from "./autoscaler-conversion.ts";
import { eventToCore, eventToItsGroup } from "./event-conversion.ts";

const conversions: Readonly<Record<string, (object: KubeObject) => KubeObject>> = {
  "autoscaling/v1 HorizontalPodAutoscaler autoscaling/v2": autoscalerToSecond,
  "autoscaling/v2 HorizontalPodAutoscaler autoscaling/v1": autoscalerToFirst,
  "events.k8s.io/v1 Event v1": eventToCore,
  "v1 Event events.k8s.io/v1": eventToItsGroup,
};

/** Whether objects of a built-in kind are converted between these two versions. */
export function isConvertible(kind: string, from: string, to: string): boolean {
  return conversions[`${from} ${kind} ${to}`] !== undefined;
}

/** The object of a built-in kind in another version that has other fields; undefined when there is no such version. */
export function convertBuiltIn(object: KubeObject, apiVersion: string): KubeObject | undefined {
  const convert = conversions[`${object.apiVersion} ${object.kind} ${apiVersion}`];
  return convert === undefined ? undefined : encodedObject(convert(object));
}
