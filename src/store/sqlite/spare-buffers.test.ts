import { expect, it } from "vitest";
import { createSpareBuffers } from "./spare-buffers.ts";

const MIB = 1_048_576;

/** As the writer hands it back. */
const memoryOf = ({ buffer }: Buffer): ArrayBuffer => {
  if (!(buffer instanceof ArrayBuffer)) throw new Error("not memory that can be handed over");
  return buffer;
};

it("room is large enough, and what came back is used again", () => {
  const spare = createSpareBuffers();
  const first = spare.take(100_000);
  expect(first.length).toBeGreaterThanOrEqual(100_000);
  expect(spare.take(10).buffer).not.toBe(first.buffer);
  spare.putBack([memoryOf(first)]);
  expect(spare.take(90_000).buffer).toBe(first.buffer);
});

it("one that is too small makes place for a larger one, and few are kept, none of them large", () => {
  const spare = createSpareBuffers();
  const small = spare.take(1);
  spare.putBack([memoryOf(small)]);
  const larger = spare.take(300_000);
  expect(larger.length).toBeGreaterThanOrEqual(300_000);
  const many = Array.from({ length: 10 }, () => spare.take(1));
  const large = spare.take(2 * MIB);
  spare.putBack([memoryOf(large), ...many.map(memoryOf)]);
  const again = Array.from({ length: 11 }, () => spare.take(1).buffer);
  const kept = new Set([large, ...many].map(memoryOf));
  expect(again.filter((one) => one instanceof ArrayBuffer && kept.has(one))).toHaveLength(4);
  expect(again).not.toContain(large.buffer);
});
