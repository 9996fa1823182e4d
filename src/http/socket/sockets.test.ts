import { once } from "node:events";
import { WebSocket } from "ws";
import { afterEach, describe, expect, it } from "vitest";
import { closeCode, clientFrame, framesIn, rawRequest, rawSocket, UPGRADE } from "../../../test/kit/raw-socket.ts";
import { present, type ServedGateway, serveGateway, type ServedOptions } from "../../../test/kit/served-gateway.ts";
import { wireClient } from "../../../test/kit/wire-client.ts";
import { FRAME_BYTES_MAX } from "../../protocol/frames.ts";
import { FRAMES_BEFORE_HANDSHAKE_MAX } from "./connection.ts";
import { NESTING_MAX } from "./frame-reader.ts";
import { REQUESTS_UNDER_WAY_MAX } from "./requests.ts";

let gateway: ServedGateway;
afterEach(() => gateway.close());

const serve = async (options?: ServedOptions): Promise<ServedGateway> => (gateway = await serveGateway(options));

type Frame = {
  type: string;
  id: string | null;
  ok: boolean;
  payload?: Record<string, unknown>;
  error?: { code: string; message: string; details?: unknown };
};

/** A socket on which a test says exactly what it wants, and reads frames in the order they come. */
async function open() {
  const socket = new WebSocket(`${gateway.url.replace("http", "ws")}/ws`, { perMessageDeflate: false });
  const frames: Frame[] = [];
  const readers: ((frame: Frame) => void)[] = [];
  const closed = Promise.withResolvers<{ code: number; reason: string }>();
  socket.on("message", (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as Frame;
    const reader = readers.shift();
    if (reader === undefined) frames.push(frame);
    else reader(frame);
  });
  socket.on("close", (code: number, reason: Buffer) => closed.resolve({ code, reason: reason.toString() }));
  socket.on("error", () => undefined);
  await once(socket, "open");
  return {
    send: (text: string | object) => socket.send(typeof text === "string" ? text : JSON.stringify(text)),
    sendBytes: (bytes: Buffer) => socket.send(bytes),
    next: (): Promise<Frame> => {
      const frame = frames.shift();
      return frame === undefined ? new Promise((resolve) => readers.push(resolve)) : Promise.resolve(frame);
    },
    closed: closed.promise,
    pause: () => socket.pause(),
    close: () => socket.close(),
  };
}

const hello = (token: string, more: object = {}) => ({
  type: "req",
  id: "hello",
  method: "connect",
  params: { minProtocol: 1, maxProtocol: 1, client: { name: "test", version: "1" }, auth: { token }, ...more },
});

async function connected(token?: string) {
  const socket = await open();
  socket.send(hello(token ?? (await gateway.token())));
  expect((await socket.next()).ok).toBe(true);
  return socket;
}

describe("the handshake", () => {
  it("[GW-01] agrees on the version, and tells who is connected with what", async () => {
    await serve();
    const socket = await open();
    socket.send(hello(await gateway.token(["operator.read", "operator.write"], "bob")));
    expect(await socket.next()).toEqual({
      type: "res",
      id: "hello",
      ok: true,
      payload: {
        protocol: 1,
        server: { name: "holdpoint", version: "1" },
        connectionId: expect.stringMatching(/^con_/) as string,
        operator: {
          id: expect.stringMatching(/^opr_/) as string,
          name: "bob",
          scopes: ["operator.read", "operator.write"],
        },
        cursor: 0,
        resumed: false,
        limits: { frameBytesMax: FRAME_BYTES_MAX, requestsPerSecond: 1_000_000 },
      },
    });
  });

  it("[GW-01] refuses another version with the range it speaks, whatever else that client sends", async () => {
    await serve();
    const socket = await open();
    socket.send(hello(await gateway.token(), { minProtocol: 2, maxProtocol: 9, novelty: true }));
    const { error } = await socket.next();
    expect([error?.code, error?.details]).toEqual(["UNSUPPORTED_VERSION", { supported: { min: 1, max: 1 } }]);
    socket.send(hello(await gateway.token()));
    expect((await socket.next()).ok).toBe(true);
  });

  it("[GW-03] answers nothing before it, not even that a method does not exist", async () => {
    await serve();
    const socket = await open();
    for (const method of ["health", "sessions.list", "no.such.method"]) {
      socket.send({ type: "req", id: method, method });
      expect((await socket.next()).error?.code).toBe("HANDSHAKE_REQUIRED");
    }
  });

  it("[GW-03] closes on a wrong, empty, missing or revoked token", async () => {
    await serve();
    const secret = await gateway.token();
    const [token] = await gateway.tokens.list();
    if (token !== undefined) await gateway.tokens.revoke(token.id, "test");
    for (const wrong of [secret, `${secret}x`, "undefined"]) {
      const socket = await open();
      socket.send(hello(wrong));
      expect((await socket.next()).error?.code).toBe("UNAUTHENTICATED");
      expect(await socket.closed).toEqual({ code: 1008, reason: "UNAUTHENTICATED" });
    }
    const socket = await open();
    socket.send(hello(""));
    expect((await socket.next()).error).toMatchObject({ code: "INVALID_REQUEST", details: { path: "auth.token" } });
    socket.send({ ...hello("x"), params: { minProtocol: 1, maxProtocol: 1, client: { name: "t", version: "1" } } });
    expect((await socket.next()).error).toMatchObject({
      code: "INVALID_REQUEST",
      message: "connect: auth: is required",
    });
  });

  it("[GW-03] takes scopes from the token: a client may ask for fewer, and gets no more by asking", async () => {
    await serve();
    const scopesOf = async (token: string, scopes: string[]) => {
      const socket = await open();
      socket.send(hello(token, { scopes }));
      const { payload } = await socket.next();
      return (present(payload)["operator"] as { scopes: string[] }).scopes;
    };
    const reader = await gateway.token(["operator.read"]);
    expect(await scopesOf(reader, ["operator.read", "operator.admin", "operator.approvals"])).toEqual([
      "operator.read",
    ]);
    expect(await scopesOf(reader, [])).toEqual([]);
    expect(await scopesOf(await gateway.token(["operator.admin"]), ["operator.write"])).toEqual(["operator.write"]);
  });

  it("[GW-03] refuses a client that names its role, or an identity, itself", async () => {
    await serve();
    const socket = await open();
    socket.send(hello(await gateway.token(), { role: "operator" }));
    expect((await socket.next()).error).toMatchObject({
      code: "INVALID_REQUEST",
      message: 'connect: params: unknown field "role"',
    });
  });

  it("[GW-05] lets a stranger stumble only so often", async () => {
    await serve();
    const socket = await open();
    for (let n = 0; n < FRAMES_BEFORE_HANDSHAKE_MAX; n += 1) socket.send("{}");
    expect((await socket.closed).code).toBe(1008);
  });

  it("[GW-03] ends the connections of a token the moment it is revoked, and answers whoever revoked their own", async () => {
    await serve();
    const admin = await gateway.client();
    const bob = await gateway.client(["operator.read"], "bob");
    const tokens = (await admin.must("tokens.list", {})).tokens;
    const idOf = (name: string) => present(tokens.find((token) => token.name === name)).id;
    await admin.must("tokens.revoke", { id: idOf("bob") });
    expect(await bob.closed).toBe(1008);
    expect((await admin.must("tokens.revoke", { id: idOf("alice") })).token.revokedAtMs).toBe(gateway.clock.now());
    expect(await admin.closed).toBe(1008);
  });
});

describe("frames", () => {
  it("[GW-01] answers what is no request with a refusal, in order, and goes on", async () => {
    await serve();
    const socket = await connected();
    const cases: [string, string | null, string][] = [
      ["{}", null, "INVALID_REQUEST"],
      ["[]", null, "INVALID_REQUEST"],
      ["nonsense", null, "INVALID_REQUEST"],
      ['\ufeff{"type":"req","id":"1","method":"health"}', null, "INVALID_REQUEST"],
      ['{"type":"req","id":7,"method":"health"}', null, "INVALID_REQUEST"],
      ['{"type":"req","id":"a","method":"health","extra":1}', "a", "INVALID_REQUEST"],
      ['{"type":"res","id":"b","ok":true,"payload":null}', "b", "INVALID_REQUEST"],
      ['{"type":"req","id":"c","method":"no.such"}', "c", "UNKNOWN_METHOD"],
      ['{"type":"req","id":"d","method":"__proto__"}', "d", "UNKNOWN_METHOD"],
      ['{"type":"req","id":"e","method":"connect","params":{}}', "e", "INVALID_REQUEST"],
      ['{"type":"req","id":"f","method":"health","params":{"x":1}}', "f", "INVALID_REQUEST"],
      ['{"type":"req","id":"g","method":"health","params":[]}', "g", "INVALID_REQUEST"],
      ['{"type":"req","id":"h","method":"sessions.list","params":{"limit":1e400}}', "h", "INVALID_REQUEST"],
      ['{"type":"req","id":"i","method":"sessions.list","params":{"search":"\\ud800"}}', null, "INVALID_REQUEST"],
    ];
    for (const [text] of cases) socket.send(text);
    for (const [text, id, code] of cases) {
      const { id: answered, error } = await socket.next();
      expect([text, answered, error?.code]).toEqual([text, id, code]);
    }
    socket.send({ type: "req", id: "last", method: "health" });
    expect((await socket.next()).ok).toBe(true);
  });

  it("[GW-02] names the field that is wrong, and the codes that people meet often", async () => {
    await serve();
    const alice = await gateway.client();
    const refusal = async (params: object) => {
      const answer = await alice.request("sessions.patch", params as never);
      return answer?.ok === false ? [answer.error.code, answer.error.message] : answer;
    };
    const sessionId = "ses_1";
    expect(await refusal({ sessionId, planApproval: { action: "reject", approvalId: "apr_1" } })).toEqual([
      "FEEDBACK_REQUIRED",
      "sessions.patch: planApproval.feedback: is required",
    ]);
    expect(
      await refusal({ sessionId, planApproval: { action: "approve", approvalId: "apr_1", approved: true } }),
    ).toEqual(["INVALID_REQUEST", 'sessions.patch: planApproval: unknown field "approved"']);
    expect(await refusal({ sessionId, planApproval: { action: "auto", autoEnabled: true } })).toEqual([
      "INVALID_REQUEST",
      "sessions.patch: planApproval.enabled: is required",
    ]);
    expect(await refusal({ sessionId, planApproval: { action: "reject", approvalId: 7 } })).toEqual([
      "INVALID_REQUEST",
      "sessions.patch: planApproval.approvalId: invalid input: expected string, received number",
    ]);
    expect(await refusal({ sessionId })).toEqual([
      "INVALID_REQUEST",
      "sessions.patch: params: one of these is required: planApproval, planNote, planText, planMode, planArchetype, permissionMode, title, archived",
    ]);
    expect(await refusal({ sessionId, title: "a", archived: true })).toEqual([
      "INVALID_REQUEST",
      'sessions.patch: params: unknown field "archived"',
    ]);
    expect(await refusal({ title: "a" })).toEqual(["INVALID_REQUEST", "sessions.patch: sessionId: is required"]);
  });

  it("[GW-03] is not moved by keys of the prototype", async () => {
    await serve();
    const socket = await connected(await gateway.token(["operator.read"]));
    socket.send('{"type":"req","id":"1","method":"tokens.list","params":{"__proto__":{"scopes":["operator.admin"]}}}');
    expect((await socket.next()).error?.code).toBe("FORBIDDEN");
    socket.send(
      '{"type":"req","id":"2","method":"health","params":{"constructor":{"prototype":{"scopes":["operator.admin"]}}}}',
    );
    expect((await socket.next()).error?.message).toBe('health: params: unknown field "constructor"');
    expect(Object.hasOwn(Object.prototype, "scopes")).toBe(false);
  });

  it(`[GW-05] refuses what nests deeper than ${NESTING_MAX} levels before anything is built from it`, async () => {
    await serve();
    const socket = await connected();
    socket.send("[".repeat(500_000));
    expect((await socket.next()).error?.message).toBe(`A request may nest ${NESTING_MAX} levels deep.`);
    const text = JSON.stringify({ type: "req", id: "1", method: "no.such", params: { quoted: "[{".repeat(500) } });
    socket.send(text);
    expect((await socket.next()).error?.code).toBe("UNKNOWN_METHOD");
  });

  it("[GW-05] closes on binary and on oversized frames with the codes that say so", async () => {
    await serve();
    const binary = await connected();
    binary.sendBytes(Buffer.from("{}"));
    expect((await binary.closed).code).toBe(1003);
    const large = await connected();
    large.send("x".repeat(FRAME_BYTES_MAX + 1));
    expect((await large.closed).code).toBe(1009);
  });

  it("[GW-05] refuses a second request of an id that is still under way", async () => {
    const release = Promise.withResolvers<void>();
    await serve({ methods: { "commands.list": () => release.promise.then(() => ({ commands: [] })) } });
    const socket = await connected();
    const request = { type: "req", id: "same", method: "commands.list", params: {} };
    socket.send(request);
    socket.send(request);
    expect((await socket.next()).error?.message).toBe("id: another request of this id is still under way");
    release.resolve();
    expect(await socket.next()).toEqual({ type: "res", id: "same", ok: true, payload: { commands: [] } });
  });
});

describe("limits", () => {
  it("[GW-05] bounds the requests under way, and says when there are too many", async () => {
    const release = Promise.withResolvers<void>();
    await serve({ methods: { "commands.list": () => release.promise.then(() => ({ commands: [] })) } });
    const socket = await connected();
    for (let n = 0; n <= REQUESTS_UNDER_WAY_MAX; n += 1)
      socket.send({ type: "req", id: `${n}`, method: "commands.list", params: {} });
    const refused = await socket.next();
    expect([refused.id, refused.error]).toEqual([
      `${REQUESTS_UNDER_WAY_MAX}`,
      expect.objectContaining({ code: "RATE_LIMITED", retry: true, details: { underWayMax: REQUESTS_UNDER_WAY_MAX } }),
    ]);
    release.resolve();
    expect((await socket.next()).ok).toBe(true);
  });

  it("[GW-05] refuses requests beyond the rate, says how long to wait, and takes them again after it", async () => {
    let nowMs = 0;
    await serve({ now: () => nowMs, settings: { requestsPerSecond: 10 } });
    const socket = await connected(); // the handshake is the first of the ten
    for (let n = 0; n < 10; n += 1) socket.send({ type: "req", id: `${n}`, method: "health" });
    const answers = [];
    for (let n = 0; n < 10; n += 1) answers.push(await socket.next());
    expect(answers.filter(({ ok }) => ok)).toHaveLength(9);
    expect(answers.find(({ ok }) => !ok)?.error).toMatchObject({
      code: "RATE_LIMITED",
      retry: true,
      details: { retryAfterMs: 100 },
    });
    nowMs += 100;
    socket.send({ type: "req", id: "later", method: "health" });
    expect((await socket.next()).ok).toBe(true);
  });

  it("[GW-05] counts pings too", async () => {
    await serve({ now: () => 0, settings: { requestsPerSecond: 5 } });
    const socket = await rawSocket(gateway.port);
    socket.write(["GET /ws HTTP/1.1", `Host: 127.0.0.1:${gateway.port}`, ...UPGRADE, "", ""].join("\r\n"));
    await socket.until((received) => received.includes("\r\n\r\n"));
    socket.write(Buffer.from("898000000000".repeat(20), "hex"));
    const received = await socket.until((bytes) => framesIn(bytes).some(({ opcode }) => opcode === 8));
    const close = present(framesIn(received).find(({ opcode }) => opcode === 8));
    expect(closeCode(close)).toBe(1008);
    socket.destroy();
  });

  it("[GW-05] takes so many connections and not one more", async () => {
    await serve({ settings: { connectionsMax: 2 } });
    const alice = await gateway.client();
    await gateway.client();
    const own = `Host: 127.0.0.1:${gateway.port}`;
    expect((await rawRequest(gateway.port, ["GET /ws HTTP/1.1", own, ...UPGRADE])).status).toBe(503);
    alice.close();
    await alice.closed;
    const again = await rawRequest(gateway.port, ["GET /ws HTTP/1.1", own, ...UPGRADE]);
    expect(again.status).toBe(101);
  });

  it("[GW-05] turns an operator away who comes when all places went to operators meanwhile", async () => {
    await serve({ settings: { connectionsMax: 1 } });
    const [early, late] = [await open(), await open()];
    const token = await gateway.token();
    early.send(hello(token));
    expect((await early.next()).ok).toBe(true);
    late.send(hello(token));
    expect((await late.next()).error?.code).toBe("QUEUE_FULL");
    expect((await late.closed).code).toBe(1013);
    early.close();
  });

  it("[GW-05] lets go of a client that does not read, and of nobody else", async () => {
    await serve();
    const { session } = await (await gateway.client()).must("sessions.create", {});
    const slow = await connected();
    const brisk = await gateway.client();
    slow.send({ type: "req", id: "s", method: "sessions.subscribe", params: { sessionId: session.id } });
    expect((await slow.next()).ok).toBe(true);
    slow.pause();
    const piece = { text: "x".repeat(1_000_000) };
    for (let n = 0; n < 64; n += 1) {
      gateway.feed.delta(session.id, piece);
      await new Promise((resolve) => void setImmediate(resolve));
    }
    expect((await brisk.must("health", {})).ready).toBe(true);
    const log = () => gateway.logged.some((line) => /"code":(?:1013|1006)/.test(line));
    await expect.poll(log).toBe(true);
  });

  it("[GW-05] tells everybody up to where they know before it stops, and refuses what comes meanwhile", async () => {
    const release = Promise.withResolvers<void>();
    await serve({ methods: { "commands.list": () => release.promise.then(() => ({ commands: [] })) } });
    const socket = await connected();
    const { session } = await (await gateway.client()).must("sessions.create", {});
    expect(session.title).toBe("");
    const cursor = await gateway.store.lastCursor();
    socket.send({ type: "req", id: "slow", method: "commands.list", params: {} });
    socket.send({ type: "req", id: "quick", method: "health" });
    expect((await socket.next()).id).toBe("quick");
    const closing = gateway.close();
    socket.send({ type: "req", id: "late", method: "health" });
    expect((await socket.next()).error).toMatchObject({ code: "DRAINING", retry: true });
    release.resolve();
    expect((await socket.next()).id).toBe("slow");
    expect(await socket.next()).toEqual({ type: "event", event: "gateway.draining", seq: 1, payload: { cursor } });
    expect(await socket.closed).toEqual({ code: 1001, reason: `cursor=${cursor}` });
    await closing;
    await expect(wireClient({ url: gateway.url, token: "x" })).rejects.toThrow("ECONNREFUSED");
  });
});

describe("failures", () => {
  it("[GW-07] answers a bug with a reference, and keeps its cause in the log", async () => {
    await serve({
      methods: {
        health: () => Promise.reject(new Error("the password is hunter2")),
        status: () => {
          throw new Error("at once");
        },
      },
    });
    const alice = await gateway.client();
    const answer = await alice.request("health", {});
    const error = answer?.ok === false ? answer.error : undefined;
    const reference = JSON.stringify(error?.details?.["reference"]).slice(1, -1);
    expect(error).toEqual({
      code: "INTERNAL",
      message: "Something went wrong on our side. The log of the gateway has the cause under this reference.",
      details: { reference },
    });
    const line = gateway.logged.find((text) => text.includes(reference)) ?? "";
    expect(line).toContain("hunter2");
    const thrown = await alice.request("status", {});
    expect(thrown?.ok === false ? thrown.error.code : thrown).toBe("INTERNAL");
  });

  it("[GW-05] survives a client that vanishes in the middle of a frame", async () => {
    await serve();
    const socket = await rawSocket(gateway.port);
    socket.write(["GET /ws HTTP/1.1", `Host: 127.0.0.1:${gateway.port}`, ...UPGRADE, "", ""].join("\r\n"));
    await socket.until((received) => received.includes("\r\n\r\n"));
    socket.write(clientFrame(JSON.stringify(hello("x"))).subarray(0, 20));
    socket.destroy();
    await expect.poll(() => gateway.http.connections()).toBe(0);
  });
});

it.each(["tokens", "lastCursor"] as const)(
  "[GW-03] does not welcome a token that was revoked while its handshake waited for %s",
  async (reading) => {
    await serve();
    const secret = await gateway.token(["operator.read"], "bob");
    const bob = present((await gateway.tokens.list())[0]);
    const release = gateway.store.holdNext(reading);
    const asked = (): number => gateway.store.calls.get(reading) ?? 0;
    const before = asked();
    const socket = await open();
    socket.send(hello(secret));
    await expect.poll(asked).toBe(before + 1);
    await gateway.tokens.revoke(bob.id, "test");
    release();
    expect(await socket.closed).toEqual({ code: 1008, reason: "UNAUTHENTICATED" });
  },
);

it("[GW-01] lets nothing overtake the welcome", async () => {
  await serve();
  const release = gateway.store.holdNext("lastCursor");
  const socket = await open();
  socket.send(hello(await gateway.token()));
  socket.send({ type: "req", id: "early", method: "health" });
  expect((await socket.next()).error?.code).toBe("HANDSHAKE_REQUIRED");
  release();
  expect((await socket.next()).id).toBe("hello");
});

it("[GW-07] ends a connection whose welcome failed, so that nobody is half connected", async () => {
  await serve();
  const secret = await gateway.token();
  gateway.store.breakNext("lastCursor");
  const socket = await open();
  socket.send(hello(secret));
  expect((await socket.next()).error?.code).toBe("INTERNAL");
  expect((await socket.closed).code).toBe(1011);
});
