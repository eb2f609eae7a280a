/** Receives the warnings that Helm prints to standard error. */
export type Warn = (warning: string) => void;

export const ignoreWarning: Warn = () => undefined;
