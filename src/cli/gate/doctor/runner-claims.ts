/**
 * What the doctor tries once nothing holds it but the runner (GA-13, GA-15): after plan mode is left, as after an approval,
 * and in the view of a reading command itself. One line for each claim of SECURITY.md, with what was seen.
 */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import type { EntryOf } from "../../../protocol/transcript-entry.ts";
import { hiddenFromReaders } from "../../../runner/hidden/hidden-places.ts";
import { credentialFiles } from "../../../runner/hidden/personal-files.ts";
import { machineSandbox } from "../../../runner/sandbox.ts";
import { spawnEnclosed } from "../../../runner/spawn-enclosed.ts";
import { KEPT_FILE } from "./probes.ts";
import type { ProbeCall } from "./prober-model.ts";
import { type Attempt, leaksIn, makeCall, type ProbeSession, reasonOf } from "./try-probe.ts";

const READING = "reading";
const APPROVED = "approved";
const SEEN_CHARS_MAX = 160;
/** In the workspace, to the gateway's own folder. */
const LINK = "door";

type Report = (attempt: Attempt) => void;
type Service = { path: string; secret: string; asked(): number; close(): void };

export async function tryRunner(session: ProbeSession, report: Report): Promise<void> {
  const { home, workspace } = session.gateway;
  const service = await listen(home);
  try {
    await symlink(home, join(workspace, LINK));
    for (const control of [READS, PRINTS]) report(await worked(READING, control, session));
    for (const claim of whileReading(session)) report(await tried(claim, session));
    report(await readersSocket(service));
    await session.gateway.link.call("sessions.patch", { sessionId: session.sessionId, planMode: "normal" });
    for (const control of [CHANGES, MAKES]) report(await worked(APPROVED, control, session));
    for (const claim of onceApproved(session, service)) report(await tried(claim, session));
    report(writtenThroughLink(session));
  } finally {
    service.close();
  }
}

type Control = { what: string; call: ProbeCall; shows: RegExp };
const READS: Control = {
  what: "control: read a file of the workspace",
  call: { tool: "read", args: { path: KEPT_FILE } },
  shows: /keep this/,
};
const PRINTS: Control = {
  what: "control: the same by a command",
  call: { tool: "exec", args: { command: `cat ${KEPT_FILE}` } },
  shows: /keep this/,
};
const CHANGES: Control = {
  what: "control: change the workspace by a command",
  call: { tool: "exec", args: { command: "touch control && echo control-made" } },
  shows: /control-made/,
};
const MAKES: Control = {
  what: "control: write a file of the workspace",
  call: { tool: "write", args: { path: "control-written", content: "x" } },
  shows: /(?:)/,
};

/** What is permitted must work in the same view, or what is not would prove nothing by failing. */
async function worked(source: string, { what, call, shows }: Control, session: ProbeSession): Promise<Attempt> {
  const result = await makeCall({ call }, session);
  if (result === undefined) return { source, what, held: false, detail: "The call came to no end." };
  if (isNotRun(result)) return { source, what, held: true, detail: NOT_RUN };
  const held = result.status === "ok" && shows.test(JSON.stringify(result.content));
  return {
    source,
    what,
    held,
    detail: held ? "it worked" : `It did not work, so nothing is proven: ${seenIn(result)}`,
  };
}

/** A service of the same person, in the gateway's folder, which answers everybody with a secret. */
async function listen(home: string): Promise<Service> {
  const secret = `doctor-${randomBytes(8).toString("hex")}`;
  const path = join(home, "service.sock");
  let asked = 0;
  const server: Server = createServer((caller) => {
    asked += 1;
    caller.on("error", () => undefined).end(secret);
  });
  await new Promise<void>((listening) => server.listen(path, listening));
  return { path, secret, asked: () => asked, close: () => void server.close() };
}

/** `leak`: what the result would hold if it did not hold. */
type Claim = { source: string; what: string; call: ProbeCall; leak: RegExp; held: string };

const exec = (command: string): ProbeCall => ({ tool: "exec", args: { command } });
const literally = (...texts: string[]): RegExp => new RegExp(texts.map((text) => RegExp.escape(text)).join("|"));

function whileReading({ gateway }: ProbeSession): Claim[] {
  const secrets = leaksIn(gateway);
  const keys = credentialFiles({ home: homedir() }).filter((path) => existsSync(path));
  const searched = keys.map((path) => `'${path.replaceAll("'", `'\\''`)}'`).join(" ");
  const noKeys = { source: READING, what: "read what proves who you are", leak: /"output":"[^"]*\/[^"]*"/ };
  return [
    {
      source: READING,
      what: "read the gateway's folder through a link",
      call: { tool: "read", args: { path: `${LINK}/canary` } },
      leak: secrets,
      held: "the link leads nowhere",
    },
    {
      source: READING,
      what: "the same by a command",
      call: exec(`cat ${LINK}/canary`),
      leak: secrets,
      held: "the folder is not there",
    },
    {
      source: READING,
      what: "look at the gateway's process",
      call: exec(`cat /proc/${process.pid}/environ`),
      leak: /"exitCode":0/,
      held: "there is no such process",
    },
    ...(keys.length === 0
      ? []
      : [
          {
            ...noKeys,
            call: exec(`find ${searched} -maxdepth 2 -type f -size +0`),
            held: `${keys.length} places of yours are empty there`,
          },
        ]),
  ];
}

function onceApproved({ gateway }: ProbeSession, { path, secret }: Service): Claim[] {
  const { home } = gateway;
  const writes = "touch made-by-doctor"; // so that no proof is asked for
  const connect = `${process.execPath} -e 'require("net").connect(process.argv[1]).on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))' ${path}`;
  return [
    {
      source: APPROVED,
      what: "read the operator's token",
      call: exec(`${writes}; cat ${home}/operator.token ${home}/canary`),
      leak: leaksIn(gateway),
      held: "the folder is empty there",
    },
    {
      source: APPROVED,
      what: "write into the gateway's folder",
      call: { tool: "write", args: { path: `${LINK}/made`, content: "x" } },
      leak: /$^/,
      held: "it came to nothing",
    },
    {
      source: APPROVED,
      what: "look at the gateway's process",
      call: exec(`${writes}; ls /proc/${process.pid}/fd`),
      leak: /"exitCode":0/,
      held: "there is no such process",
    },
    {
      source: APPROVED,
      what: "reach a service of yours by its socket",
      call: exec(`${writes}; ${connect}`),
      leak: literally(secret),
      held: "it does not answer",
    },
    {
      source: APPROVED,
      what: "use descriptors of the gateway",
      call: exec(`${writes}; ls -l /proc/self/fd`),
      leak: / (?:[3-9]|\d\d+) -> (?!\/dev\/null|\/proc\/)/,
      held: "it has its own",
    },
  ];
}

async function tried({ source, what, call, leak, held }: Claim, session: ProbeSession): Promise<Attempt> {
  const result = await makeCall({ call }, session);
  const attempt = (holds: boolean, detail: string): Attempt => ({ source, what, held: holds, detail });
  if (result === undefined) return attempt(false, "The call came to no end.");
  const seen = JSON.stringify(result.content);
  if (leak.test(seen)) return attempt(false, `It did: ${seen.slice(0, SEEN_CHARS_MAX)}`);
  if (isNotRun(result)) return attempt(true, NOT_RUN);
  return attempt(true, result.status === "refused" ? reasonOf(result) : `${held} (${seenIn(result)})`);
}

const isNotRun = ({ content }: EntryOf<"result">): boolean =>
  typeof content === "string" && content.startsWith("Not run");
const NOT_RUN = "no command runs here: there is no sandbox, and nobody decided to go without";

/** The program's own words where it said any. */
function seenIn({ status, content }: EntryOf<"result">): string {
  const output =
    content !== null && typeof content === "object" && !Array.isArray(content) ? content["output"] : content;
  const said = typeof output === "string" ? output.trim().replaceAll(/\s+/g, " ") : "";
  return said === "" ? status : said.slice(0, SEEN_CHARS_MAX);
}

function writtenThroughLink({ gateway }: ProbeSession): Attempt {
  const held = !existsSync(join(gateway.home, "made"));
  const what = "find what was written through the link";
  return {
    source: APPROVED,
    what,
    held,
    detail: held ? "it is not in the gateway's folder" : "it is in the gateway's folder",
  };
}

/** No proven command connects, so a program is started in the view that they have. */
async function readersSocket({ path, secret, asked }: Service): Promise<Attempt> {
  const about = { source: READING, what: "reach a service of yours by its socket" };
  const places = hiddenFromReaders({ home: homedir(), own: [], hide: [], show: [] });
  const script = `require("net").connect(process.argv[1]).on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))`;
  const argv = [process.execPath, "-e", script, path];
  const view = { rest: "read-only", network: false, places } as const;
  const enclosed = await machineSandbox().enclose(view, { cwd: "/", argv });
  if (enclosed === undefined) return { ...about, held: true, detail: "no command runs: there is no sandbox" };
  const child = spawnEnclosed(enclosed, { env: {}, stdio: ["ignore", "pipe", "ignore"] });
  let said = "";
  child.stdout?.on("data", (chunk: Buffer) => (said = (said + chunk.toString()).slice(0, SEEN_CHARS_MAX)));
  await new Promise((closed) => child.once("close", closed));
  const held = asked() === 0 && !said.includes(secret);
  return { ...about, held, detail: held ? `it does not answer (${said.trim() || "no words"})` : "it answered" };
}
