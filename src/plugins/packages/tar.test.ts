import { describe, expect, it } from "vitest";
import { tarOf } from "../../../test/kit/tar.ts";
import { readTar } from "./tar.ts";

const LIMITS = { filesMax: 10, bytesMax: 10_000 };
const texts = (archive: Buffer) => {
  const read = readTar(archive, LIMITS);
  return read.ok ? Object.fromEntries(read.files.map(({ path, bytes }) => [path, bytes.toString()])) : read.problem;
};

describe("archives of plugins", () => {
  it("[PG-01] reads plain files, without the folder that packers put around them", () => {
    expect(
      texts(
        tarOf([
          { name: "package/a.js", text: "1" },
          { name: "package/lib/b.js", text: "2" },
        ]),
      ),
    ).toEqual({
      "a.js": "1",
      "lib/b.js": "2",
    });
    expect(
      texts(
        tarOf([
          { name: "./a.js", text: "1" },
          { name: "lib/", type: "5" },
          { name: "lib/b.js", text: "2" },
        ]),
      ),
    ).toEqual({
      "a.js": "1",
      "lib/b.js": "2",
    });
  });

  it("[PG-01] reads long names in each of the three ways in which archives write them", () => {
    const long = `${"deep/".repeat(20)}${"n".repeat(100)}.js`;
    expect(texts(tarOf([{ name: "a.js", text: "1" }, { pax: { path: long } }, { name: "short", text: "2" }]))).toEqual({
      "a.js": "1",
      [long]: "2",
    });
    expect(
      texts(
        tarOf([
          { name: "a.js", text: "1" },
          { name: "././@LongLink", type: "L", text: `${long}\0` },
          { name: "short", text: "2" },
        ]),
      ),
    ).toEqual({
      "a.js": "1",
      [long]: "2",
    });
    expect(
      texts(
        tarOf([
          { name: "a.js", text: "1" },
          { prefix: "some/folder", name: "b.js", text: "2" },
        ]),
      ),
    ).toEqual({
      "a.js": "1",
      "some/folder/b.js": "2",
    });
  });

  it.each([
    ["a path that leads out", [{ name: "../evil.js", text: "x" }], 'the path "../evil.js" leads out of the plugin'],
    [
      "one that leads out in the middle",
      [{ name: "a/../../evil.js", text: "x" }],
      'the path "a/../../evil.js" leads out of the plugin',
    ],
    ["an absolute path", [{ name: "/etc/passwd", text: "x" }], 'the path "/etc/passwd" leads out of the plugin'],
    [
      "a path of another system",
      [{ name: "C:\\evil.js", text: "x" }],
      'the path "C:\\\\evil.js" has a character that names cannot have',
    ],
    [
      "a path that an extension header hides",
      [{ pax: { path: "../evil.js" } }, { name: "good.js", text: "x" }],
      'the path "../evil.js" leads out of the plugin',
    ],
    ["a symbolic link", [{ name: "a.js", type: "2" as const, link: "/etc/passwd" }], "a.js is a symbolic link"],
    ["a hard link", [{ name: "a.js", type: "1" as const, link: "b.js" }], "a.js is a hard link"],
    ["a device", [{ name: "a.js", type: "3" as const }], "a.js is a device"],
    ["a pipe", [{ name: "a.js", type: "6" as const }], "a.js is a pipe"],
    ["an unknown kind", [{ name: "a.js", type: "Z" as const }], "a.js is neither a file nor a folder"],
    [
      "a file twice",
      [
        { name: "a.js", text: "1" },
        { name: "a.js", text: "2" },
      ],
      "a.js is in it twice",
    ],
    [
      "a file twice on some systems",
      [
        { name: "a.js", text: "1" },
        { name: "A.JS", text: "2" },
      ],
      "A.JS is in it twice",
    ],
    [
      "too many files",
      Array.from({ length: 11 }, (_, n) => ({ name: `f${n}.js`, text: "" })),
      "it holds more than 10 files",
    ],
    [
      "too many folders",
      Array.from({ length: 31 }, (_, n) => ({ name: `f${n}/`, type: "5" as const })),
      "it holds more than 10 files",
    ],
    ["too many bytes", [{ name: "a.js", text: "x".repeat(10_001) }], "it unpacks to more than 10000 bytes"],
    ["a size that is not there", [{ name: "a.js", text: "x", size: 1_000_000 }], "it ends in the middle of a file"],
    [
      "a size in a header that is not there",
      [{ pax: { size: "99999999" } }, { name: "a.js", text: "x" }],
      "it ends in the middle of a file",
    ],
    [
      "a header that cannot be read",
      [{ name: "x", type: "x" as const, text: "99999 path=a\n" }],
      "one of its headers cannot be read",
    ],
    [
      "a name in a header without end",
      [{ name: "x", type: "L" as const, text: "x".repeat(20_000) }],
      "one of its headers is too long",
    ],
    [
      "a number that is none",
      [{ name: "a.js", text: "x", rawSize: "-0000000001" }],
      "one of its numbers cannot be read",
    ],
    ["a path that is too deep", [{ name: `${"a/".repeat(30)}b`, text: "x" }], /is too deep$/],
    ["a path with a line break", [{ name: "a\nb", text: "x" }], /has a character that names cannot have$/],
  ])("[PG-01] refuses an archive whole that holds %s", (_what, entries, problem) => {
    expect(texts(tarOf(entries))).toMatch(problem);
  });

  it("[PG-01] refuses what is no archive, or a damaged one", () => {
    expect(texts(Buffer.from("hello"))).toBe("it is no tar archive, or an empty one");
    expect(texts(Buffer.alloc(1024, "x"))).toBe("one of its numbers cannot be read");
    const damaged = tarOf([{ name: "a.js", text: "1" }]);
    damaged[0] = 0x62;
    expect(texts(damaged)).toBe("it is no tar archive, or damaged");
  });
});
