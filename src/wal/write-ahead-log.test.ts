import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { systemCalls, type FileCalls } from "./append-file.ts";
import { WriteAheadLog } from "./index.ts";

const root = mkdtempSync(join(tmpdir(), "sluice-wal-"));
after(() => rmSync(root, { recursive: true, force: true }));

const newFolder = () => mkdtempSync(join(root, "log-"));
const filesIn = (folder: string) => readdirSync(folder).toSorted().join(" ");
const textsOf = (log: WriteAheadLog) => [...log.records()].map(({ text }) => text);

type Options = ConstructorParameters<typeof WriteAheadLog>[1];

/** Opens a folder, reads it, and begins; `texts` has all records, old and new. */
function open(folder: string, options: Options = {}) {
  const log = new WriteAheadLog(folder, options);
  const texts = textsOf(log);
  log.begin(() => [...texts]);
  const append = (...records: readonly string[]) => {
    for (const record of records) {
      log.append(record);
      texts.push(record);
    }
  };
  return { log, texts, append };
}

async function written(...records: readonly string[]): Promise<string> {
  const folder = newFolder();
  const { log, append } = open(folder);
  append(...records);
  await log.close();
  return folder;
}

test("records are read back in their order, over several starts", async () => {
  const folder = newFolder();
  for (const record of ["a", 'ö "\u2028" \\n', "c"]) {
    const { log, append } = open(folder);
    append(record);
    await log.close();
  }
  assert.deepEqual(textsOf(new WriteAheadLog(folder)), ["a", 'ö "\u2028" \\n', "c"]);
  for (const name of readdirSync(folder)) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
});

const torn: Readonly<Record<string, (path: string) => void>> = {
  "a part of a record": (path) => truncateSync(path, statSync(path).size - 3),
  "a record without its line feed": (path) => truncateSync(path, statSync(path).size - 1),
  "zeros, as after a power cut": (path) => {
    truncateSync(path, statSync(path).size - 4);
    appendFileSync(path, Buffer.alloc(4096));
  },
};

for (const [what, tear] of Object.entries(torn)) {
  test(`${what} at the end is removed and told, and the log goes on`, async () => {
    const folder = await written("a", "b", "c");
    tear(join(folder, "log-1"));
    const { log, texts, append } = open(folder);
    assert.deepEqual(texts, ["a", "b"]);
    assert.equal(log.torn?.path, join(folder, "log-1"));
    append("d");
    await log.close();
    assert.deepEqual(textsOf(new WriteAheadLog(folder)), ["a", "b", "d"]);
  });
}

const refused: Readonly<Record<string, { damage: (folder: string) => void; message: RegExp }>> = {
  "a damaged record with whole ones behind it": {
    damage: (folder) => {
      const path = join(folder, "log-1");
      writeFileSync(path, readFileSync(path, "utf8").replace("bbb", "bxb"));
    },
    message: /log-1: the record at byte 39 is damaged, and 1 whole record follows: put the folder back.*truncate -s 39 .*log-1/,
  },
  "a log that is not the last one, and not whole": {
    damage: (folder) => {
      const { log } = open(folder);
      void log.close();
      truncateSync(join(folder, "log-1"), 45);
    },
    message: /log-1: the record at byte 39 is damaged, and 0 whole records follow/,
  },
  "a snapshot without its end": {
    damage: (folder) => truncateSync(join(folder, "snapshot-1"), 29),
    message: /snapshot-1: it is damaged: its end is missing after 0 records/,
  },
  "a log of another number": {
    damage: (folder) => renameSync(join(folder, "log-1"), join(folder, "log-2")),
    message: /log-1 is missing, and .*log-2 continues it/,
  },
  "a file of another kind": {
    damage: (folder) => writeFileSync(join(folder, "log-1"), readFileSync(join(folder, "snapshot-1"))),
    message: /log-1: it begins with "sluice snapshot 1", expected sluice log 1/,
  },
};

for (const [what, { damage, message }] of Object.entries(refused)) {
  test(`${what} is refused by name`, async () => {
    const folder = await written("aaa", "bbb", "ccc");
    damage(folder);
    assert.throws(() => textsOf(new WriteAheadLog(folder)), message);
  });
}

test("a snapshot takes the place of old logs, while records come in", async () => {
  const folder = newFolder();
  const { log, texts, append } = open(folder, { compactAfterBytes: 500 });
  for (let round = 0; round < 30; round++) {
    append(...Array.from({ length: 5 }, (_, at) => `record ${round} ${at}`));
    await log.compacted;
  }
  await log.close();
  const [first, ...more] = readdirSync(folder).filter((name) => name.startsWith("snapshot-"));
  assert.deepEqual(more, []);
  assert.ok(Number(first?.split("-")[1]) > 2, filesIn(folder));
  assert.deepEqual(textsOf(new WriteAheadLog(folder)), texts);
});

test("a start that was killed before its first snapshot counts for nothing", () => {
  const folder = newFolder();
  for (const name of ["log-1", "snapshot-1.77-1.new"]) writeFileSync(join(folder, name), "half");
  const { log, texts } = open(folder);
  assert.deepEqual([log.isNew, texts, filesIn(folder)], [true, [], "log-1 snapshot-1"]);
});

/** A disk with room for so many more bytes; `room` may be changed. */
function smallDisk(): { room: number; calls: FileCalls } {
  const disk = {
    room: Infinity,
    calls: {
      ...systemCalls,
      writeSync: (handle: number, bytes: Buffer, from: number, length: number, position: number) => {
        if (disk.room <= 0) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
        const count = Math.min(length, disk.room, 7);
        disk.room -= count;
        return systemCalls.writeSync(handle, bytes, from, count, position);
      },
    },
  };
  return disk;
}

test("a full disk refuses records, keeps all others, and takes records again when it has room", async () => {
  const folder = newFolder();
  const disk = smallDisk();
  const { log, append } = open(folder, { calls: disk.calls, compactAfterBytes: 60 });
  append("first");
  for (const room of [0, 3, 10]) {
    disk.room = room;
    assert.throws(() => append("lost, and longer than that"), {
      message: /^write to .*log-\d: there is no room \(ENOSPC\): make some in .*, and writes work again; nothing is lost$/,
      isFull: true,
    });
  }
  disk.room = Infinity;
  append("second", "third", "fourth");
  await log.close();
  assert.deepEqual(textsOf(new WriteAheadLog(folder)), ["first", "second", "third", "fourth"]);
});

test("one call to the disk serves all records that wait for it", async () => {
  let calls = 0;
  const fdatasync: FileCalls["fdatasync"] = (handle, done) => (calls++, systemCalls.fdatasync(handle, done));
  const { log, append } = open(newFolder(), { fsync: true, calls: { ...systemCalls, fdatasync } });
  append("a");
  const first = log.sync();
  await Promise.resolve();
  append("b", "c");
  await Promise.all([first, log.sync(), log.sync(), log.sync()]);
  assert.equal(calls, 2);
  assert.equal(log.sync(), undefined, "nothing is left to wait for");
  await log.close();
  assert.equal(open(newFolder()).log.sync(), undefined, "without fsync there is nothing to wait for");
});

test("a disk that fails ends it: nothing is answered any more", async () => {
  const calls: FileCalls = { ...systemCalls, fdatasync: (_handle, done) => setImmediate(() => done(new Error("EIO: i/o error"))) };
  const { log, append } = open(newFolder(), { fsync: true, calls });
  append("a");
  await assert.rejects(async () => log.sync(), /write .*log-1 to the disk: EIO/);
  assert.match((await log.failed).message, /EIO/);
  assert.throws(() => append("b"), /EIO/);
  await assert.rejects(async () => log.sync(), /EIO/);
  await log.close();
});

test("a second writer of the same log is refused", () => {
  const folder = newFolder();
  const [first, second] = [new WriteAheadLog(folder), new WriteAheadLog(folder)];
  for (const log of [first, second]) textsOf(log);
  first.begin(() => []);
  assert.throws(() => second.begin(() => []), /another process has just begun to use it/);
});
