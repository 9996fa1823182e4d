/**
 * What `holdpoint run` holds on this very machine (GA-11): a tree is started as an agent would be, tries to write, to undo what
 * holds it and to reach out, is released and held again. One line for each claim, and one for each agent that is installed.
 */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import type { Environment } from "../../../config/home.ts";
import { systemPrograms } from "../../../runner/system-programs.ts";
import { type RefusedWrite, type StartedKeeper, startKeeper } from "../../../runner/keeper/keeper.ts";
import { whyUnnamed } from "../../../runner/keeper/named-writes.ts";
import { canHold } from "../../run/can-hold.ts";
import { keeperView } from "../../run/keeper-view.ts";
import type { Attempt } from "./try-probe.ts";

const SOURCE = "holdpoint run";
const ANSWER_MS_MAX = 15_000;
const PROXY_PORT = 18_080;

type Report = (attempt: Attempt) => void;

/** `holds`: what the tree must answer. */
type Claim = { what: string; line: string; holds: "no" | "yes" };

const HELD = (workspace: string, secret: string): Claim[] => [
  { what: "write before an approval", line: "echo x > canary-held", holds: "no" },
  { what: "write by a program of its own", line: `perl -e 'open(F, ">", "canary-perl") or exit 1'`, holds: "no" },
  { what: "make the folder writable", line: `mount -o remount,bind,rw '${workspace}'`, holds: "no" },
  { what: "make a namespace of its own", line: "unshare -rm true", holds: "no" },
  { what: "read the gateway's folder", line: `cat '${secret}'`, holds: "no" },
  {
    what: "reach a port of this machine",
    line: "exec 9<>/dev/tcp/127.0.0.1/22 || exec 9<>/dev/tcp/127.0.0.1/80",
    holds: "no",
  },
];

export async function tryKeeper(env: Environment, report: Report): Promise<void> {
  const why = await canHold();
  if (why !== undefined) {
    // nothing is started then, so nothing is left open
    return report({ source: SOURCE, what: "start an agent that nothing holds", held: true, detail: `refused: ${why}` });
  }
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "holdpoint-keeper-doctor-")));
  try {
    const [workspace, state] = [join(folder, "workspace"), join(folder, "state")];
    for (const path of [workspace, state]) mkdirSync(path);
    const secret = join(state, "secret");
    writeFileSync(secret, "secret\n");
    const unnamed = whyUnnamed(env);
    const tree = startTree({ workspace, state, env, isNamed: unnamed === undefined });
    if (tree === undefined)
      return report({ source: SOURCE, what: "start an agent that nothing holds", held: true, detail: "refused" });
    for (const claim of HELD(workspace, secret)) report(await tried(claim, tree));
    report(namedBy(tree, unnamed));
    report(await flipped(tree, workspace));
    tree.keeper.stdin?.end();
    await tree.keeper.ended;
    report(untouched(workspace));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `named`: the files that it was seen to try, by their names alone. */
type Tree = { keeper: StartedKeeper; named: ReadonlySet<string>; does(line: string): Promise<string> };

/** What the card says of a program that knows nothing of us. Where it cannot, nothing is left open: the card stands from the start. */
function namedBy({ named }: Tree, unnamed: string | undefined): Attempt {
  const about = { source: SOURCE, what: "try to write without being named" };
  if (unnamed !== undefined) {
    return { ...about, held: true, door: "open", detail: `${unnamed}, so a card names the command alone` };
  }
  const held = named.has("canary-held") && named.has("canary-perl");
  return { ...about, held, detail: held ? "the card says which file, and by which program" : "nothing was named" };
}

const SHELL = 'while read -r line; do eval "$line" >/dev/null 2>&1 && echo yes || echo no; done';

function startTree({
  workspace,
  state,
  env,
  isNamed,
}: {
  workspace: string;
  state: string;
  env: Environment;
  isNamed: boolean;
}): Tree | undefined {
  const named = new Set<string>();
  const names = { tried: ({ path }: RefusedWrite) => void named.add(basename(path)), unnamed: () => undefined };
  const bash = systemPrograms().find("bash") ?? "/bin/bash";
  const person = { home: env["HOME"] || homedir(), env };
  const keeper = startKeeper({
    workspace,
    places: keeperView({ workspace, file: bash, person, state, shown: [], program: undefined, writable: [] }),
    cwd: workspace,
    argv: [bash, "--noprofile", "--norc", "-c", SHELL],
    env: { PATH: env["PATH"] },
    stdio: ["pipe", "pipe", "ignore"],
    ports: [PROXY_PORT],
    notice: () => undefined,
    ...(isNamed ? { names } : {}),
  });
  const { stdin, stdout } = keeper ?? {};
  if (keeper === undefined || stdin === null || stdin === undefined || stdout === null || stdout === undefined)
    return undefined;
  stdin.on("error", () => undefined); // it has ended, and answers nothing any more
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  return {
    keeper,
    named,
    async does(line) {
      stdin.write(`${line}\n`);
      const late = wait(ANSWER_MS_MAX, undefined, { ref: false }).then(() => undefined);
      const answered = await Promise.race([lines.next(), late]);
      return answered === undefined || answered.done === true ? "nothing" : answered.value;
    },
  };
}

async function tried({ what, line, holds }: Claim, { does }: Tree): Promise<Attempt> {
  const said = await does(line);
  return {
    source: SOURCE,
    what,
    held: said === holds,
    detail: said === holds ? "refused by the kernel" : `it answered ${said}`,
  };
}

/** Released it must work, or people would switch it off; held again it must not. */
async function flipped({ keeper, does }: Tree, workspace: string): Promise<Attempt> {
  const about = { source: SOURCE, what: "write after the approval has ended" };
  keeper.set(true);
  const isReleased = await keeper.settled();
  const written = await does("echo x > released");
  keeper.set(false);
  const isHeld = await keeper.settled();
  const after = await does("echo x > canary-after");
  const held = isReleased && written === "yes" && isHeld && after === "no" && existsSync(join(workspace, "released"));
  return {
    ...about,
    held,
    detail: held ? "it wrote while it was released, and not after" : `released: ${written}, after: ${after}`,
  };
}

function untouched(workspace: string): Attempt {
  const left = ["canary-held", "canary-perl", "canary-after"].filter((name) => existsSync(join(workspace, name)));
  const detail = left.length === 0 ? "There is none." : `There is ${left.join(", ")}.`;
  return { source: SOURCE, what: "leave a file behind", held: left.length === 0, detail };
}
