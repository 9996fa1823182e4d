/** What a worker that was ended had said comes before its end; workers that are lent get cells directly and are given back. */
import { Duplex, PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { connectHost } from "./host-connection.ts";
import { KINDS, type Message, messageBytes, messageReader, readMessage } from "./message-bytes.ts";

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
  return { connection, stdin, stdout, lane, heard, say };
}

class LaneEnd extends Duplex {
  override _read(): void {}
  readonly written: Message[] = [];
  override _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    this.written.push(readMessage(chunk));
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

/** What the process is told of the workers that it lends. */
async function lending() {
  const world = await connected();
  const told: Pick<Message, "kind" | "cell" | "number" | "text">[] = [];
  const onMessage = (whole: Uint8Array): void => {
    const { kind, cell, number, text } = readMessage(whole);
    told.push({ kind, cell, number, text });
  };
  world.stdin.on("data", messageReader({ onMessage, onBroken: () => undefined }));
  world.say(world.stdout, { cell: 0, kind: KINDS.offered, number: 0 });
  await nextRound();
  const ended: Pick<Message, "cell" | "text">[] = [];
  const message = ({ kind, cell, text }: Message): void =>
    void (kind === KINDS.outcome && text !== "" && ended.push({ cell, text }));
  const begin = async (cell: number): Promise<void> => {
    world.connection.open(cell, { message, over: () => undefined });
    world.connection.begin(cell, messageBytes({ cell, kind: KINDS.run, number: 100 }));
    await nextRound();
  };
  const end = async (cell: number): Promise<void> => {
    world.say(world.lane, { cell, kind: KINDS.outcome });
    await nextRound();
    world.connection.close(cell);
  };
  return { ...world, told, begin, end, ended };
}

const seated = (cell: number) => ({ kind: KINDS.seated, cell, number: 100, text: "0" });
const GIVEN_BACK = { kind: KINDS.declined, cell: 0, number: 0, text: "" };

describe("a worker that is lent to the gateway", () => {
  it("[CM-06] 172: gets one cell after another over its lane, and the process is told of each", async () => {
    const { lane, told, begin, end } = await lending();
    for (const cell of [2, 3, 4]) {
      await begin(cell);
      await end(cell);
    }
    expect(lane.written.map(({ kind, cell }) => ({ kind, cell }))).toEqual(
      [2, 3, 4].map((cell) => ({ kind: KINDS.run, cell })),
    );
    expect(told).toEqual([2, 3, 4].map(seated));
  });

  it("[CM-06] 172: gets none while it has one: the next goes to the process", async () => {
    const { told, begin } = await lending();
    await begin(2);
    await begin(3);
    expect(told).toEqual([seated(2), { kind: KINDS.run, cell: 3, number: 100, text: "" }]);
  });

  it("[CM-06] 123, 172: goes back when a cell waits in the process, at once or as soon as its own is over", async () => {
    const { stdout, told, say, begin, end } = await lending();
    await begin(2);
    await begin(3);
    say(stdout, { cell: 3, kind: KINDS.queued });
    await nextRound();
    await end(2);
    expect(told.slice(2)).toEqual([GIVEN_BACK]);
    say(stdout, { cell: 0, kind: KINDS.offered, number: 0 });
    await nextRound();
    expect(told.slice(2)).toEqual([GIVEN_BACK, GIVEN_BACK]);
  });

  it("[CM-06] 172: goes back when it had its share of cells, so that a worn one can be replaced", async () => {
    const { told, begin, end } = await lending();
    for (let cell = 2; !told.some(({ kind }) => kind === KINDS.declined); cell++) {
      expect(cell).toBeLessThan(1_000);
      await begin(cell);
      await end(cell);
    }
    expect(told.at(-1)).toEqual(GIVEN_BACK);
  });

  it("[CM-06] 172: gets no cell any more where its lane has closed", async () => {
    const { lane, told, begin } = await lending();
    lane.destroy();
    await nextRound();
    await begin(2);
    expect(told).toEqual([{ kind: KINDS.run, cell: 2, number: 100, text: "" }]);
  });

  it("[CM-06] 124: that was ended before its next cell reached it: the cell and what it was sent go to the process instead", async () => {
    const { stdout, told, say, begin, end, connection, ended } = await lending();
    await begin(2);
    await end(2);
    await begin(3);
    const answers = messageBytes({ cell: 3, kind: KINDS.answers, bytes: "later" });
    connection.answer(3, answers);
    say(stdout, { cell: 3, kind: KINDS.unseated, number: 1, text: "failed" });
    await nextRound();
    expect(told.slice(2)).toEqual([
      { kind: KINDS.run, cell: 3, number: 100, text: "" },
      { kind: KINDS.answers, cell: 3, number: 0, text: "" },
    ]);
    expect(ended).toEqual([]);
    say(stdout, { cell: 3, kind: KINDS.outcome, text: "done" });
    await nextRound();
    expect(ended).toEqual([{ cell: 3, text: "done" }]);
  });

  it("[CM-06] 124: that was ended with a cell which had said something: the cell failed, and is not begun again", async () => {
    const { stdout, lane, told, say, begin, ended } = await lending();
    await begin(2);
    say(stdout, { cell: 2, kind: KINDS.unseated, number: 1, text: "failed" });
    await nextRound();
    say(lane, { cell: 2, kind: KINDS.calls });
    await nextRound();
    expect([told, ended]).toEqual([[seated(2)], [{ cell: 2, text: "failed" }]]);
  });
});
