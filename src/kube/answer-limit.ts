import { Fault } from "../core/fault/index.ts";

/** How much of one answer is read as a whole, decompressed. A page of 500 objects has some megabytes. */
export const maxAnswerBytes = 128 * 2 ** 20;

/** How much all pages of one list may have. */
export const maxListBytes = 512 * 2 ** 20;

/** How long one event of a watch may be. A server stores objects of 1.5 MiB. */
export const maxEventBytes = 32 * 2 ** 20;

/** A server sends more than is kept. Asking again gives the same. */
export class AnswerTooLargeFault extends Fault {
  constructor(message: string) {
    super(message, undefined, { final: true });
    this.name = "AnswerTooLargeFault";
  }
}

/** `server` is the address of the cluster. */
export function answerTooLarge(server: string, most: number): AnswerTooLargeFault {
  return new AnswerTooLargeFault(
    `${server} sends more than ${sizeText(most)} in one answer, which is the most that is read: check what answers at this address`,
  );
}

export function sizeText(bytes: number): string {
  return bytes >= 2 ** 20 ? `${Math.round(bytes / 2 ** 20)} MiB` : `${Math.round(bytes / 2 ** 10)} KiB`;
}
