import { expect, it } from "vitest";
import { clampCellLimits, DEFAULT_CELL_LIMITS } from "./cell-limits.ts";
import { limitOutput } from "./limit-output.ts";
import { messageBytes, messageReader, readMessage } from "./message-bytes.ts";
import type { OutputItem } from "./sandbox.ts";

it("[CM-02] 18–22: limits have the document's defaults and are clamped into its ranges", () => {
  expect(DEFAULT_CELL_LIMITS).toEqual({
    timeoutMs: 10_000,
    memoryLimitBytes: 67_108_864,
    maxOutputBytes: 65_536,
    maxSnapshotBytes: 10_485_760,
    maxPendingToolCalls: 16,
  });
  const all = (value: number) =>
    Object.values(
      clampCellLimits({
        timeoutMs: value,
        memoryLimitBytes: value,
        maxOutputBytes: value,
        maxSnapshotBytes: value,
        maxPendingToolCalls: value,
      }),
    );
  expect(all(-1)).toEqual([100, 1_048_576, 1_024, 1_024, 1]);
  expect(all(Number.MAX_VALUE)).toEqual([60_000, 1_073_741_824, 10_485_760, 268_435_456, 128]);
  expect(clampCellLimits({ timeoutMs: 150.6 }).timeoutMs).toBe(151);
});

it("[CM-02] 80: output makes room for the value and says how much is missing", () => {
  const items: OutputItem[] = [
    { type: "text", text: "a".repeat(500) },
    { type: "json", value: [1, 2] },
  ];
  expect(limitOutput(items, { cutChars: 0, bytesMax: 1_024, valueJson: "1" })).toEqual({ output: items, charsCut: 0 });
  const tight = limitOutput(items, { cutChars: 7, bytesMax: 1_024, valueJson: "x".repeat(600) });
  expect(tight).toEqual({ output: [{ type: "text", text: "[output cut: 512 more characters]" }], charsCut: 512 });
});

it("[CM-06] 125: messages survive being torn apart, and what is none ends the reading", () => {
  const messages = [
    { cell: 1, kind: 2, number: 3, text: "ä😀", bytes: Uint8Array.of(1, 2, 3) },
    { cell: 4, kind: 5, number: 0, text: "", bytes: new Uint8Array(0) },
  ];
  const stream = Buffer.concat(messages.map((message) => messageBytes(message)));
  for (const step of [1, 7, stream.length]) {
    const read: unknown[] = [];
    const take = messageReader({
      onMessage: (whole) => read.push({ ...readMessage(whole), bytes: [...readMessage(whole).bytes] }),
      onBroken: () => read.push("broken"),
    });
    for (let at = 0; at < stream.length; at += step) take(stream.subarray(at, at + step));
    expect(read).toEqual(messages.map((message) => ({ ...message, bytes: [...message.bytes] })));
    take(new Uint8Array(20).fill(255));
    take(stream);
    expect(read.slice(messages.length)).toEqual(["broken"]);
  }
});
