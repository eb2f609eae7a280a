/** Text that go-yaml rejects. The message is exactly go-yaml's. */
export class YamlFault extends Error {
  /** The error without its position. */
  readonly problem: string;
  /** The line, from 1. go-yaml's own messages are often off by one. */
  readonly line: number;
  /** The character at which the scanner stopped. */
  readonly character: string;

  constructor(message: string, problem: string, line: number, character = "") {
    super(message);
    this.name = "YamlFault";
    this.problem = problem;
    this.line = line;
    this.character = character;
  }
}
