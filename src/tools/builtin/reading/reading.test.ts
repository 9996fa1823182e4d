import { appendFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesHere } from "../../../../test/kit/builtin-tools.ts";
import { calledTools } from "../../../../test/kit/called-tools.ts";
import { toResult } from "../../tool-result.ts";
import { IMAGE_BYTES_MAX } from "./image-type.ts";
import { createReadTool } from "../read.ts";
import { FILE_BYTES_MAX, hashOf } from "../text-file.ts";
import { imageType } from "./image-type.ts";

const reading = (files: Record<string, string | Buffer>) =>
  calledTools([createReadTool(filesHere().operation("read"))], files);

const PNG = Buffer.concat([Buffer.from([0x89]), Buffer.from("PNG\r\n"), Buffer.from([0x1a, 0x0a]), Buffer.alloc(40)]);

describe("images", () => {
  it.each([
    ["image/png", PNG],
    ["image/jpeg", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0])],
    ["image/gif", Buffer.from("GIF89a....")],
    ["image/webp", Buffer.from("RIFF1234WEBPVP8 ")],
  ])("[TO-09] are known as %s by their bytes, whatever their name", async (mediaType, bytes) => {
    const { call } = reading({ "notes.txt": bytes });
    expect(await call("read", { path: "notes.txt" })).toEqual({
      status: "ok",
      content: { type: "image", mediaType, bytes: bytes.toString("base64"), path: "notes.txt", size: bytes.length },
    });
  });

  it("are not believed by their name", async () => {
    expect(imageType(Buffer.from("RIFF1234WAVEfmt "))).toBeUndefined();
    expect(imageType(Buffer.from("\u0089PNG"))).toBeUndefined();
    expect(await reading({ "a.png": "just text\n" }).call("read", { path: "a.png" })).toMatchObject({
      content: { text: "just text\n" },
    });
  });

  it("reach the transcript whole up to the limit, and are refused beyond it", async () => {
    const fits = Buffer.concat([PNG, Buffer.alloc(IMAGE_BYTES_MAX - PNG.length)]);
    const { call } = reading({ "fits.png": fits, "big.png": Buffer.concat([fits, Buffer.alloc(1)]) });
    const output = await call("read", { path: "fits.png" });
    expect(toResult(output)).toEqual(output);
    expect(await call("read", { path: "big.png" })).toEqual({
      status: "error",
      content: `big.png is an image (image/png) of ${IMAGE_BYTES_MAX + 1} bytes; at most ${IMAGE_BYTES_MAX} can be shown. Look at a smaller copy of it, if there is one.`,
    });
  });
});

describe("large files", () => {
  function large() {
    const world = reading({});
    const file = join(world.workspace, "big.log");
    writeFileSync(file, "");
    const line = `${"é".repeat(499)}\n`; // 999 bytes, so that chunks end inside a character
    const block = line.repeat(1_000);
    for (let n = 0; n < 11; n++) appendFileSync(file, block);
    appendFileSync(file, "the end");
    return { ...world, line };
  }

  it("[TO-09] are read by ranges without being held", async () => {
    const { call, line } = large();
    expect(await call("read", { path: "big.log", fromLine: 10_500, lines: 2 })).toEqual({
      status: "ok",
      content: {
        path: "big.log",
        size: 11 * 1_000 * 999 + 7,
        text: line.repeat(2),
        fromLine: 10_500,
        toLine: 10_501,
        totalLines: null,
        more: "Call read with fromLine 10502 to go on.",
      },
    });
    expect(await call("read", { path: "big.log", fromLine: 11_001 })).toMatchObject({
      content: { text: "the end", toLine: 11_001 },
    });
  });

  it("end at whole characters and whole lines where a range takes too much", async () => {
    const { content } = await large().call("read", { path: "big.log", fromLine: 1 });
    expect(content).toMatchObject({ toLine: 100, more: "Call read with fromLine 101 to go on." });
    expect(JSON.stringify(content)).not.toContain("\ufffd");
  });

  it("say that they are no text", async () => {
    const { call } = reading({ blob: Buffer.alloc(FILE_BYTES_MAX + 1) });
    expect(await call("read", { path: "blob" })).toEqual({
      status: "error",
      content: `blob is not a text file (${FILE_BYTES_MAX + 1} bytes).`,
    });
  });
});

describe("notebooks", () => {
  const notebook = JSON.stringify({
    cells: [
      { cell_type: "markdown", source: ["# Title\n", "text"] },
      {
        cell_type: "code",
        source: "1 + 1",
        outputs: [
          { output_type: "execute_result", data: { "text/plain": ["2"] } },
          { output_type: "display_data", data: { "image/png": "AAAA" } },
          { output_type: "error", ename: "ValueError", evalue: "no" },
        ],
      },
    ],
  });

  it("[TO-09] are shown as their cells, or as they are", async () => {
    const { call } = reading({ "a.ipynb": notebook, "b.ipynb": "no notebook" });
    expect(await call("read", { path: "a.ipynb" })).toMatchObject({
      content: {
        hash: hashOf(notebook),
        text: "[cell 0: markdown]\n# Title\ntext\n\n[cell 1: code]\n1 + 1\n[output]\n2\n[output]\n(image/png)\n[output]\nValueError: no\n",
      },
    });
    expect(await call("read", { path: "a.ipynb", raw: true })).toMatchObject({ content: { text: notebook } });
    expect(await call("read", { path: "b.ipynb" })).toMatchObject({ content: { text: "no notebook" } });
  });
});

it("cuts long lines one by one and says which", async () => {
  const { call } = reading({ "a.min.js": `short\n${"x".repeat(2_001)}\n${"y".repeat(3_000)}\r\nend\n` });
  expect(await call("read", { path: "a.min.js" })).toMatchObject({
    content: {
      text: `short\n${"x".repeat(2_000)}[… 2001 characters in this line]\n${"y".repeat(2_000)}[… 3000 characters in this line]\r\nend\n`,
      more: "2 lines, the first of them line 2, are cut after 2000 characters.",
    },
  });
});

it("opens no pipe and follows no link out of the workspace", async () => {
  const { call, workspace } = reading({});
  symlinkSync("/etc/hostname", join(workspace, "link"));
  expect(await call("read", { path: "link" })).toMatchObject({ status: "error" });
});
