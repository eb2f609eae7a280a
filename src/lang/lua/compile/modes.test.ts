import assert from "node:assert/strict";
import test from "node:test";
import { compileLua } from "../index.ts";
import { modesFor } from "./modes.ts";
import { parseLua } from "./parser.ts";

/** The modes of scripts: none, coroutines (y), and replaceable environments (e). */
const cases: Readonly<Record<string, string>> = {
  "return obj.status.loadBalancer.ingress": "",
  "return obj.load, obj._G, obj['coroutine'], obj:getfenv()": "",
  "-- load the coroutine of _G": "",
  "return 'load'": "",
  "local load, coroutine = 1 return load, coroutine": "",
  "function payload() end return reload": "",
  "return require('json'), require \"strings\"": "",
  "return coroutine.create": "y",
  "return require('coroutine')": "y",
  "return require 'coroutine'": "y",
  "return require('\\99oroutine')": "y",
  "return require('corou' .. 'tine')": "y",
  "return require(name)": "y",
  "local r = require return r('coroutine')": "y",
  "return (require)('coroutine')": "y",
  "return pcall(require, 'coroutine')": "y",
  "return _G": "ye",
  "for _ in pairs(_G) do end": "ye",
  "return function() return load end": "ye",
  "loadstring('return 1')": "ye",
  "setfenv(1, {})": "ye",
  "return {getfenv}": "ye",
};

for (const [source, expected] of Object.entries(cases)) {
  test(`${source} is compiled for ${expected === "" ? "nothing in particular" : expected}`, () => {
    const { yields, environments } = modesFor(parseLua(source, "test").reached);
    assert.equal(`${yields ? "y" : ""}${environments ? "e" : ""}`, expected);
  });
}

/** Ways to reach the coroutine library. All of them must be able to yield. */
const ways = [
  "coroutine",
  "require('coroutine')",
  "require('corou' .. 'tine')",
  "select(2, pcall(require, 'coroutine'))",
  "_G['corou' .. 'tine']",
  "getfenv().coroutine",
  "loadstring('return coroutine')()",
];

for (const way of ways) {
  test(`${way} can yield`, () => {
    const source = `local c = ${way} local f = c.wrap(function() c.yield(1) return 2 end) return f(), f()`;
    assert.deepEqual(compileLua(source).run(), [1, 2]);
  });
}
