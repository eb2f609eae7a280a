/** The same function, which remembers its last call: many watchers are told of one event, one after the other. */
export function rememberLast<Parameters extends readonly unknown[], Result>(
  work: (...parameters: Parameters) => Result,
): (...parameters: Parameters) => Result {
  let last: { readonly parameters: Parameters; readonly result: Result } | undefined;
  return (...parameters) => {
    if (last === undefined || parameters.some((each, index) => each !== last?.parameters[index]))
      last = { parameters, result: work(...parameters) };
    return last.result;
  };
}
