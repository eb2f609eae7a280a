import { fieldsAt, isFields, type Fields, type KubeObject } from "../core/object/index.ts";
import { hintOfName } from "./name-hint.ts";

const switches = new Set(["suspend", "suspended", "paused", "pause", "disabled"]);

/** Fields of a spec that request a state. */
const askedState = /^(state|phase|runStrategy|(desired|power|run)(State|Phase|Status))$/;

/** How an object is suspended by its own spec, if it is. Then nothing happens to it, on purpose. */
export function suspension(object: KubeObject): string | undefined {
  const spec = fieldsAt(object, "spec");
  const found =
    switchIn(spec, "spec") ??
    Object.entries(spec)
      .map(([name, part]) => strategySwitch(part, name))
      .find((text) => text !== undefined);
  return found ?? restIn(spec, "spec", 4);
}

function switchIn(fields: Fields, path: string): string | undefined {
  const name = Object.keys(fields).find((key) => fields[key] === (key === "running" ? false : switches.has(key) || undefined));
  return name === undefined ? undefined : `suspended: ${path}.${name} is ${String(fields[name])}`;
}

function strategySwitch(part: unknown, name: string): string | undefined {
  return /strategy$/i.test(name) && isFields(part) ? switchIn(part, `spec.${name}`) : undefined;
}

/** Finds a requested state that means suspension. */
function restIn(fields: Fields, path: string, depth: number): string | undefined {
  for (const [name, value] of Object.entries(fields)) {
    const here = `${path}.${name}`;
    if (typeof value === "string" && askedState.test(name) && hintOfName(value) === "idle") return `suspended: ${here} is ${value}`;
    const inside = depth > 0 && isFields(value) ? restIn(value, here, depth - 1) : undefined;
    if (inside !== undefined) return inside;
  }
  return undefined;
}
