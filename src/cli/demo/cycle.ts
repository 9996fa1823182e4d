/** The steps of the demo: a refused attempt, a question, a plan sent back, one approved, the work and its changes. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Chat } from "../chat/chat.ts";
import type { Link } from "../chat/link.ts";
import { CliError } from "../cli-error.ts";
import type { Look } from "../text/paint.ts";
import { sanitise } from "../text/sanitise.ts";
import { hang } from "../text/wrap.ts";
import { diffOf, snapshot } from "./demo-folders.ts";

const TURN_MS_MAX = 120_000;

export type Cast = {
  chat: Chat;
  link: Link;
  workspace: string;
  url: string;
  /** How many calls the gate has refused so far. */
  refusals(): number;
  stage: {
    scene(title: string): void;
    tell(text: string): void;
    /** What the scripted person types. */
    person(text: string): void;
    lines(lines: readonly string[]): void;
    document(value: unknown): void;
    look(): Look;
    /** Time to read what has just been shown. */
    reading(): Promise<void>;
  };
};

export async function playCycle(cast: Cast): Promise<void> {
  const { stage, workspace, url, chat } = cast;
  const before = await snapshot(workspace);
  stage.tell(
    `A whole plan cycle in a throw-away folder. The agent and the person follow scripts; the gateway (${url}), its store, its gate and the files are real.`,
  );

  stage.scene("The agent tries to write before anybody has approved");
  await types(cast, "Write a note into README.md, right now.");
  demand(cast.refusals() === 1, "the gate did not refuse the write");
  demand((await readme(workspace)) === before.get("README.md"), "README.md was changed before the approval");
  stage.lines([""]);
  stage.tell("Held at the gate: README.md is unchanged, byte for byte.");

  stage.scene("It explores read-only, and asks what the files cannot tell");
  await types(cast, "Note how to start this project.");
  demand(chat.waits(), "the agent did not ask");
  await types(cast, "2");

  stage.scene("It proposes a plan, and the person sends it back");
  demand(chat.waits(), "the agent did not submit a plan");
  await types(cast, "/plan revise Say that npm start needs Node 20 or newer");

  stage.scene("It revises, and the person approves");
  demand(chat.waits(), "the agent did not submit a revision");
  demand((await readme(workspace)) === before.get("README.md"), "README.md was changed before the approval");
  await types(cast, "/plan accept");

  stage.scene("What the approved plan changed");
  const diff = diffOf(before, await snapshot(workspace));
  demand(diff !== "" && !chat.waits(), "the approved plan changed nothing");
  stage.lines(["", ...diffLines(diff, stage.look())]);
  await closing(cast, diff);
}

/** The scripted person reads, types, and waits for what comes of it. */
async function types({ stage, chat }: Cast, text: string): Promise<void> {
  await stage.reading();
  stage.person(text);
  await chat.submit(text);
  const late = new AbortController();
  const tooLong = wait(TURN_MS_MAX, false, { signal: late.signal, ref: false }).catch(() => true);
  const isSettled = await Promise.race([chat.settled().then(() => true), tooLong]);
  late.abort();
  demand(isSettled, `nothing came of "${text}" within ${TURN_MS_MAX / 1000} seconds`);
}

async function closing({ stage, link }: Cast, diff: string): Promise<void> {
  const { verdict } = await link.call("audit.verify", {});
  demand(verdict.intact, "the audit chain is broken");
  stage.document({ event: "demo.finished", payload: { diff, auditRows: verdict.rows } });
  const { columns, paint } = stage.look();
  stage.lines([
    "",
    ...hang(
      "✓ ",
      `Nothing changed before the approval. All that happened is in the audit chain: ${verdict.rows} rows, intact.`,
      columns,
    ).map(paint.good),
    "  Try it yourself: holdpoint start",
  ]);
}

function diffLines(diff: string, { paint }: Look): string[] {
  return sanitise(diff)
    .trimEnd()
    .split("\n")
    .map((line) => {
      if (/^(?:\+\+\+|---) /.test(line)) return paint.strong(line);
      if (line.startsWith("@@")) return paint.accent(line);
      if (line.startsWith("+")) return paint.good(line);
      return line.startsWith("-") ? paint.bad(line) : line;
    });
}

const readme = (workspace: string): Promise<string> => readFile(join(workspace, "README.md"), "utf8");

/** The demo shows what happens; if it did not happen, it says so and fails. */
function demand(holds: boolean, otherwise: string): void {
  if (holds) return;
  throw new CliError({
    exit: "failed",
    message: `The demo did not go as it should: ${otherwise}.`,
    advice: "Please report it.",
    code: "DEMO_FAILED",
  });
}
