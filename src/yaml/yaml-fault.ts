/** Text that go-yaml refuses; the message is what go-yaml says, to the letter. */
export class YamlFault extends Error {
  /** What is wrong, without the place. */
  readonly problem: string;
  /** The line it was found in, from 1. go-yaml's own messages are often one off. */
  readonly line: number;

  constructor(message: string, problem: string, line: number) {
    super(message);
    this.name = "YamlFault";
    this.problem = problem;
    this.line = line;
  }
}
