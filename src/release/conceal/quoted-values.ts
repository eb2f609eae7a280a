import { isExactInteger, isFields, type KubeObject } from "../../core/object/index.ts";

type QuoteOptions = {
  /** Texts that stay when they are one of these as a whole, such as names of objects. Default none. */
  readonly kept?: ReadonlySet<string>;
};

/** The object without what it quotes of Secrets, in annotations and in all fields but its metadata. A Secret stays as it is. */
export function withoutQuotes(object: KubeObject, conceal: (text: string) => string, { kept }: QuoteOptions = {}): KubeObject {
  const { apiVersion, kind, metadata, ...rest } = object;
  if (kind === "Secret") return object;
  const hide = (value: unknown): unknown => {
    if (typeof value === "string") return kept?.has(value) === true ? value : conceal(value);
    if (Array.isArray(value)) return value.map(hide);
    if (!isFields(value) || isExactInteger(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, hide(item)]));
  };
  const { annotations } = metadata;
  const own = annotations === undefined ? metadata : { ...metadata, annotations: hide(annotations) as typeof annotations };
  return { apiVersion, kind, metadata: own, ...(hide(rest) as object) };
}
