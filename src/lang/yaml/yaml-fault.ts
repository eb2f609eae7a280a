/** Text that go-yaml refuses; the message is what go-yaml says, to the letter. */
export class YamlFault extends Error {
  /** What is wrong, without the place. */
  readonly problem: string;
  /** The line it was found in, from 1. go-yaml's own messages are often one off. */
  readonly line: number;
  /** What stands where the scanner stopped. */
  readonly character: string;

  constructor(message: string, problem: string, line: number, character = "") {
    super(message);
    this.name = "YamlFault";
    this.problem = problem;
    this.line = line;
    this.character = character;
  }
}
