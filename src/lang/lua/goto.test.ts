import assert from "node:assert/strict";
import test from "node:test";
import { compileLua } from "./index.ts";

/** Scripts with goto, and what they add to `log`. Debian's lua5.1 has none; the rules are those of Lua 5.2. */
const cases: Readonly<Record<string, string>> = {
  "for i = 1, 4 do if i % 2 == 0 then goto continue end log(i) ::continue:: end": "1 3",
  "for _, x in ipairs({1, 2, 3}) do if x == 2 then goto continue end log(x) ::continue:: end": "1 3",
  "local i = 0 while i < 4 do i = i + 1 if i == 2 then goto continue end log(i) ::continue:: end": "1 3 4",
  "local i = 0 repeat i = i + 1 if i == 2 then goto continue end log(i) ::continue:: until i >= 3": "1 3",
  "for i = 1, 3 do for j = 1, 3 do if j == 2 then goto next end log(i .. j) end ::next:: end": "11 21 31",
  "for i = 1, 3 do for j = 1, 3 do if i * j == 4 then goto done end log(i * j) end end ::done:: log('d')": "1 2 3 2 d",
  "local i = 1 ::top:: if i <= 3 then log(i) i = i + 1 goto top end": "1 2 3",
  "goto a ::b:: log('b') goto c ::a:: log('a') goto b ::c:: log('c')": "a b c",
  "do goto x end log('no') ::x:: log('yes')": "yes",
  "goto x ::y:: log(2) goto z ::x:: log(1) goto y ::z:: log(3)": "1 2 3",
  "local n = 0 ::again:: n = n + 1 if n < 3 then goto again end if n < 5 then goto again end log(n)": "5",
  "local fs = {} local i = 1 ::top:: local x = i fs[i] = function() return x end i = i + 1 if i <= 3 then goto top end log(fs[1]() .. fs[2]() .. fs[3]())":
    "123",
  "for i = 1, 2 do if i == 1 then goto a else goto b end ::a:: log('a') goto e ::b:: log('b') ::e:: end": "a b",
  "local function f(n) if n > 0 then goto yes end do return 'no' end ::yes:: return 'yes' end log(f(1)) log(f(0))": "yes no",
  "for i = 1, 3 do local x = i if x == 2 then goto continue end local y = x log(y) ::continue:: end": "1 3",
  "do local k = 0 ::l1:: k = k + 1 if k == 1 then goto l2 end if k > 3 then goto l3 end ::l2:: log(k) goto l1 ::l3:: end": "1 2 3",
};

for (const [source, expected] of Object.entries(cases)) {
  for (const yields of [false, true]) {
    test(`${source} logs ${expected}${yields ? " in generators" : ""}`, () => {
      const prelude = `local out = {} local function log(x) out[#out + 1] = x end ${yields ? "local unused = coroutine " : ""}`;
      assert.deepEqual(compileLua(`${prelude} do ${source} end return table.concat(out, " ")`).run(), [expected]);
    });
  }
}

const wrong: Readonly<Record<string, string>> = {
  "goto nowhere": "script:1: no visible label 'nowhere' for goto at line 1 near '<eof>'",
  "do ::inner:: end goto inner": "script:1: no visible label 'inner' for goto at line 1 near '<eof>'",
  "::a:: ::a::": "script:1: label 'a' already defined near '<eof>'",
  "goto f local x ::f:: print(x)": "script:1: <goto f> at line 1 jumps into the scope of local 'x' near 'print'",
  "repeat goto c local x ::c:: until x": "script:1: <goto c> at line 1 jumps into the scope of local 'x' near 'until'",
};

for (const [source, message] of Object.entries(wrong)) {
  test(message, () => assert.throws(() => compileLua(source), { reason: "syntax", message }));
}
