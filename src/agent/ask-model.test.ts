import { describe, expect, it } from "vitest";
import { quiet } from "../../test/kit/fake-clock.ts";
import { answer, opened, told } from "../../test/kit/scripted-turn.ts";
import type { Json } from "../protocol/json.ts";
import { MODEL_RETRIES_MAX, MODEL_SILENCE_MS_MAX } from "./ask-model.ts";
import { LEASE_MS } from "./lease.ts";

describe("model failure", () => {
  const busy = { fail: { message: "The model is busy.", retry: true } };

  async function passTime(
    { clock, model }: Pick<Awaited<ReturnType<typeof opened>>, "clock" | "model">,
    requests: number,
  ) {
    for (let n = 1; n <= requests; n++) {
      await model.asked(n);
      await quiet();
      clock.advance(9_000);
    }
  }

  it("asks again, later and later, while the model says that it may work", async () => {
    const made = await opened([busy, { say: "half", breakOff: true }, answer("whole")]);
    await made.send("hi");
    const settling = made.settle();
    await passTime(made, 2);
    expect(await settling).toEqual(["done"]);
    expect(await told(made)).toEqual([
      "input: hi",
      "notice: The model is busy.\n[asking again in 1 s]",
      "says: whole []",
    ]);
    expect(made.deltas).toEqual([
      "\nThe model is busy.\n[asking again in 1 s]\n",
      "half",
      "\nThe model broke off before its answer was complete.\n[asking again in 2 s]\n",
      "whole",
    ]);
  });

  it("gives up after its last attempt and tells the person", async () => {
    const made = await opened(() => busy);
    await made.send("hi");
    const settling = made.settle();
    await passTime(made, MODEL_RETRIES_MAX);
    expect(await settling).toEqual(["done"]);
    expect(made.model.requests).toHaveLength(MODEL_RETRIES_MAX + 1);
    expect(await told(made)).toEqual([
      "input: hi",
      "notice: The model is busy.\n[asking again in 1 s]",
      "notice: The model is busy.",
    ]);
  });

  it("does not ask again what cannot work", async () => {
    const made = await opened([{ fail: { message: "The key is wrong.", retry: false } }]);
    await made.send("hi");
    await made.settle();
    expect(await told(made)).toEqual(["input: hi", "notice: The key is wrong."]);
  });

  it("does not show the person the words of a fault of our own", async () => {
    const fault = new TypeError("x is not a function");
    const made = await opened([{ fail: fault }]);
    await made.send("hi");
    await made.settle();
    expect((await told(made)).at(-1)).toBe(
      "notice: The model could not be asked because of a fault in the gateway. The log tells more.",
    );
    expect(made.reports).toEqual([fault]);
  });

  it("takes silence for a failure", async () => {
    const made = await opened([{ until: new Promise(() => undefined), deaf: true }, answer("awake")]);
    await made.send("hi");
    const settling = made.settle();
    await made.model.asked(1);
    await quiet();
    for (let waited = 0; waited < MODEL_SILENCE_MS_MAX + 20_000; waited += LEASE_MS / 3) {
      made.clock.advance(LEASE_MS / 3); // in pieces, so that the lease is renewed on the way
      await quiet();
    }
    expect(await settling).toEqual(["done"]);
    expect(await told(made)).toEqual([
      "input: hi",
      "notice: The model stopped answering.\n[asking again in 1 s]",
      "says: awake []",
    ]);
  });

  it("tells the person when the answer was cut short", async () => {
    const made = await opened([{ say: "and then", reason: "length" }]);
    await made.send("hi");
    await made.settle();
    expect((await told(made)).slice(1)).toEqual([
      "says: and then []",
      "notice: The model reached the limit of one answer; its last words may be missing.",
    ]);
  });

  it("refuses an answer without end", async () => {
    const made = await opened([{ say: Array.from({ length: 21 }, () => "x".repeat(10_000)) }]);
    await made.send("hi");
    await made.settle();
    expect((await told(made)).at(-1)).toBe("notice: The model's answer was longer than one answer may be.");
  });

  it("refuses arguments that are nested without end", async () => {
    let deep: Json = [];
    for (let n = 0; n < 100_000; n++) deep = [deep];
    const made = await opened([{ calls: [{ tool: "read", args: { path: deep } }] }]);
    await made.send("hi");
    await made.settle();
    expect((await told(made)).at(-1)).toBe("notice: The model nested the arguments of a call too deeply.");
  });
});
