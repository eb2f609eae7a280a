/**
 * Follows objects until whoever asks has heard enough: how each is doing, and why it waits.
 *
 * It reads a cluster by watching it. It changes nothing and knows nothing of why somebody wants to know.
 */
export { Channel } from "./channel.ts";
export { look, type Asked, type Looked } from "./look.ts";
export { nothingToShow, type Evidence, type LogTail } from "./evidence.ts";
export { served, type Served } from "./served.ts";
export { Wait, type Awaited, type Ending } from "./wait.ts";
export { Waits } from "./waits.ts";
