/** What a worker that was ended had said comes before its end, and no more than that is waited for. */
import { Duplex, PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { connectHost } from "./host-connection.ts";
import { KINDS, type Message, messageBytes } from "./message-bytes.ts";

const CELL = 1;
const nextRound = () => new Promise((resolve) => void setImmediate(resolve));
const LATE = { kind: KINDS.outcome, text: "late" };
const SAID = { kind: KINDS.output, text: "said" };

/** A process with one lane, whose worker was ended and whose end of the lane stays open. */
async function connected() {
  const [stdin, stdout, lane] = [new PassThrough(), new PassThrough(), new LaneEnd()];
  const exited = Promise.withResolvers<string>();
  const pipes = {
    pid: 1,
    stdin,
    stdout,
    lanes: [lane],
    exited: exited.promise,
    lastWords: () => "",
    hold: () => undefined,
  };
  const text = JSON.stringify({ moduleHash: "m", imageHash: "i" });
  stdout.write(messageBytes({ cell: 0, kind: KINDS.ready, text }));
  const launch = async () => ({ ...pipes, kill: () => undefined });
  const connection = await connectHost({ processes: { launch }, onOver: () => undefined });
  const heard: Pick<Message, "kind" | "text">[] = [];
  connection.open(CELL, {
    message: ({ kind, text: told }) => void heard.push({ kind, text: told }),
    over: () => undefined,
  });
  const say = (into: Duplex | PassThrough, message: Parameters<typeof messageBytes>[0]): void =>
    void (into instanceof LaneEnd ? into.push(messageBytes(message)) : into.write(messageBytes(message)));
  return { stdout, lane, heard, say };
}

class LaneEnd extends Duplex {
  override _read(): void {}
  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done();
  }
}

describe("a worker that was ended", () => {
  it("[CM-06] is reported at once where all of what it said was heard, though its lane is still open", async () => {
    const { stdout, lane, heard, say } = await connected();
    say(lane, { cell: CELL, ...SAID });
    await nextRound();
    say(stdout, { cell: CELL, ...LATE, number: 1 });
    await nextRound();
    expect(heard).toEqual([SAID, LATE]);
  });

  it("[CM-06] is reported behind what it said and what is still on its way", async () => {
    const { stdout, lane, heard, say } = await connected();
    say(lane, { cell: CELL, ...SAID });
    await nextRound();
    say(stdout, { cell: CELL, ...LATE, number: 2 });
    await nextRound();
    expect(heard).toEqual([SAID]);
    say(lane, { cell: CELL, ...SAID });
    await nextRound();
    expect(heard).toEqual([SAID, SAID, LATE]);
  });

  it("[CM-06] is reported when its lane has closed, also where less came than it had begun to say", async () => {
    const { stdout, lane, heard, say } = await connected();
    say(lane, { cell: CELL, ...SAID });
    await nextRound();
    say(stdout, { cell: CELL, ...LATE, number: 2 });
    lane.destroy();
    await nextRound();
    expect(heard).toEqual([SAID, LATE]);
  });
});
