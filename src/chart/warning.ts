/** Told of what Helm would print to standard error and carry on. */
export type Warn = (warning: string) => void;

export const ignoreWarning: Warn = () => undefined;
