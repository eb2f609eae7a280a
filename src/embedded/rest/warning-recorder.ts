const totalLimit = 4096;
const itemLimit = 256;

/**
 * Gathers the warnings of one request. Each one counts once; when they grow too long together, each is cut.
 *
 * Models apiserver pkg/endpoints/filters/warning.go
 */
export class WarningRecorder {
  readonly #texts = new Set<string>();

  readonly add = (text: string): void => {
    if (text !== "" && !hasControlCharacter(text)) this.#texts.add(text);
  };

  get warnings(): readonly string[] {
    const texts = [...this.#texts];
    if (texts.reduce((total, text) => total + lengthOf(text), 0) <= totalLimit) return texts;
    const cut = texts.map((text) => [...text].slice(0, itemLimit).join(""));
    let written = 0;
    return cut.filter((text) => {
      const fits = written < totalLimit;
      written += lengthOf(text);
      return fits;
    });
  }
}

function lengthOf(text: string): number {
  return [...text].length;
}

/** A header cannot hold it. Models apimachinery pkg/util/net/http.go NewWarningHeader */
function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
