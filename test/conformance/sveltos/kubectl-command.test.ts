import assert from "node:assert/strict";
import { test } from "node:test";
import { parseKubectlCommands } from "./kubectl-command.ts";
import { splitShellWords } from "./split-shell-words.ts";

const lines: readonly (readonly [string, readonly string[]])[] = [
  ["a  b\tc\n", ["a", "b", "c"]],
  [`-p '{"a": "b"}'`, ["-p", '{"a": "b"}']],
  [`'note=say "hi"\nsecond line'`, ['note=say "hi"\nsecond line']],
  [`"a \\"b\\" \\n" c\\ d`, ['a "b" \\n', "c d"]],
  [`x"y"'z' ''`, ["xyz", ""]],
  ["a \\\n  b", ["a", "b"]],
];

for (const [line, words] of lines) {
  test(`a shell reads ${JSON.stringify(line)} as ${words.length} words`, () => assert.deepEqual(splitShellWords(line), words));
}

test("a quote that is not closed is refused", () => {
  assert.throws(() => splitShellWords("kubectl patch -p '{"), { message: /a quote is not closed/ });
});

const commands: readonly (readonly [string, string])[] = [
  ["kubectl delete service -n eng a b", "delete(service a b) namespace=eng"],
  ["kubectl -n eng delete service/a --wait=false", "delete(service/a) namespace=eng wait=false"],
  ["kubectl label svc a -ndefault x- --overwrite y=z", "label(svc a x- y=z) namespace=default overwrite=true"],
  ["kubectl patch cm a --type merge -p {}", "patch(cm a) type=merge patch={}"],
  ["kubectl delete cm -l a=b,c!=d -A --all", "delete(cm) selector=a=b,c!=d all-namespaces=true all=true"],
  ["kubectl scale deploy a --replicas=0 && kubectl delete ns b", "scale(deploy a) replicas=0; delete(ns b)"],
];

for (const [line, read] of commands) {
  test(`${line} is read`, () => {
    const shown = parseKubectlCommands(splitShellWords(line)).map(({ verb, operands, flags }) =>
      [`${verb}(${operands.join(" ")})`, ...[...flags].map(([name, values]) => `${name}=${values.join(",")}`)].join(" "),
    );
    assert.equal(shown.join("; "), read);
  });
}

test("what is no kubectl command is refused", () => {
  assert.throws(() => parseKubectlCommands(splitShellWords("sleep 3")), { message: /only kubectl commands/ });
});
