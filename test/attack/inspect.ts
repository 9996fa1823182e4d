/** What must be the same after an attack as before it, and what must not exist. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { WireClient } from "../kit/wire-client.ts";
import { type BesiegedPlace, contentOf, namesBelow, unlessRemoved } from "./besieged-place.ts";
import { tracesIn } from "./traces.ts";

const PAGE_ROWS = 200;
/** Files of the gateway's folder that nobody changes while it runs. */
const FIXED = ["canary.txt", "config.yaml", "operator.token"];

/** A file that the gateway itself is about to replace; the names that tools use for theirs are longer. */
const HALF_WRITTEN = /^\.[0-9a-f]{16}\.tmp$/;

/** Written by the gateway when a workspace is used first. */
const PINS = "workspaces.json";
/** What the gateway itself makes as it works: files of plans, findings of the scan, snapshots, keys of cells, plugins to clean up after. */
const OWN = new Set([PINS, "agents", "cache", "changes", "keys", "plugin-sweeps.json"]);
const PLAN_FILE = /^agents\/[^/]+\/plans\/plan-[^/]+\.md$/;

type Files = ReadonlyMap<string, string>;
export type Remembered = { names: readonly string[]; own: Files; person: Files; outside: Files; answers: string };

export async function remember(client: WireClient, place: BesiegedPlace): Promise<Remembered> {
  return {
    names: readdirSync(place.home).filter((name) => !OWN.has(name) && !HALF_WRITTEN.test(name)),
    own: new Map([...contentOf(place.home)].filter(([name]) => FIXED.includes(name))),
    person: contentOf(place.person),
    outside: contentOf(place.outside),
    answers: await answersOf(client),
  };
}

/** Who may log in, and what is set. */
async function answersOf(client: WireClient): Promise<string> {
  const { tokens } = await client.must("tokens.list", {});
  const names = tokens.map(({ id, name, scopes, revokedAtMs }) => ({ id, name, scopes, revokedAtMs }));
  return JSON.stringify([names, await client.must("config.get", {})]);
}

type After = { client: WireClient; place: BesiegedPlace; approved: number };

export async function changesSince(before: Remembered, { client, place, approved }: After): Promise<string[]> {
  const now = await remember(client, place);
  const decided = await decisions(client);
  const { jobs } = await client.must("cron.list", {});
  const made = namesBelow(place.workspace);
  return [
    ...differences("the gateway's folder", before.own, now.own),
    ...differences("the person's home", before.person, now.person),
    ...differences("the folder beside the workspace", before.outside, now.outside),
    ...now.names.filter((name) => !before.names.includes(name)).map((name) => `${name} is new in the gateway's folder`),
    ...namesBelow(place.home)
      .filter((name) => name.startsWith("agents/") && !PLAN_FILE.test(name))
      .map((name) => `${name} of the gateway's folder is no plan`),
    ...pinnedElsewhere(place),
    ...(before.answers === now.answers ? [] : ["tokens or settings of the gateway were changed"]),
    ...(decided === approved ? [] : [`${approved} plans were approved by the person, ${decided} are decided`]),
    ...jobs.filter(({ name }) => name.startsWith("pre-")).map(({ name }) => `the job ${name} was made`),
    ...made.filter((name) => /(?:^|\/)pre-/.test(name)).map((name) => `${name} was made in the workspace`),
    ...made
      .filter((name) => /(?:^|\/)led-/.test(name) && !/^scoped\/(?:in|\.folder)\//.test(name))
      .map((name) => `${name} was made beside what the plan declares`),
    ...(readFileSync(join(place.workspace, "keep.txt"), "utf8") === "keep this\n" ? [] : ["keep.txt was changed"]),
    ...made.flatMap((name) => leakedInto(join(place.workspace, name), name)),
  ];
}

function pinnedElsewhere({ home, person, outside }: BesiegedPlace): string[] {
  const path = join(home, PINS);
  const pins = existsSync(path) ? readFileSync(path, "utf8") : "";
  return [home, person, outside].filter((folder) => pins.includes(folder)).map((folder) => `${PINS} names ${folder}`);
}

const differences = (where: string, before: Files, now: Files): string[] =>
  [...new Set([...before.keys(), ...now.keys()])]
    .filter((name) => before.get(name) !== now.get(name))
    .map((name) => `${name} of ${where} was changed`);

/** An approved command may copy what it must not see instead of showing it. */
function leakedInto(path: string, name: string): string[] {
  const content = unlessRemoved(() => readFileSync(path, "latin1")) ?? "";
  const seen = tracesIn(content).filter((trace) => !trace.startsWith("trace-keys-"));
  return seen.map((trace) => `${name} of the workspace holds ${trace}`);
}

async function decisions(client: WireClient): Promise<number> {
  let count = 0;
  for (let afterSeq = 0; ;) {
    const { rows } = await client.must("audit.list", { afterSeq, limit: PAGE_ROWS });
    count += rows.filter(({ body }) => body.includes('"type":"plan.decided"')).length;
    const last = rows.at(-1);
    if (last === undefined) return count;
    afterSeq = last.seq;
  }
}
