/** Starts the process of a plugin, with nothing allowed but what it is here to do. */
import { type ChildProcess, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { Socket } from "node:net";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { bareMachine } from "../../runner/hidden/hidden-places.ts";
import { machineSandbox } from "../../runner/sandbox.ts";
import { type Enclosed, spawnEnclosed } from "../../runner/spawn-enclosed.ts";
import type { Place, View } from "../../runner/view.ts";
import { floodGuard, GuestError, type GuestLimits } from "./guest-limits.ts";

const CHANNEL = 3;
const GUEST_ENTRY = new URL("./guest/plugin-guest.ts", import.meta.url);

export type Launch = {
  /** The plugin's folder, free of symlinks. */
  folder: string;
  /** It may reach other machines. */
  network: boolean;
  limits: GuestLimits;
  /** What it prints, a line at a time. */
  print(line: string): void;
};

export type Launched = { child: ChildProcess; channel: Socket };

/** It gets none of the gateway's environment, and one channel to talk on. */
export async function launch(order: Launch): Promise<Launched> {
  const child = spawnEnclosed(await programFor(order), {
    cwd: order.folder,
    env: {},
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    windowsHide: true,
  });
  const channel = child.stdio[CHANNEL];
  if (!(channel instanceof Socket)) throw new GuestError("The system gave no channel to the plugin's process.");
  for (const stream of [child.stdout, child.stderr]) readOutput(stream, order);
  return { child, channel };
}

const SETPRIV = "/usr/bin/setpriv";
const END_WITH_PARENT = [SETPRIV, "--pdeathsig", "KILL", "--"] as const;
let isAbleToDie: boolean | undefined;

/**
 * A guest hears on its channel that the gateway is gone, unless it is busy for ever: then only the system can end it.
 * Where the system has no such program, or an older one, that is not done.
 */
function dyingWithGateway(): readonly string[] {
  isAbleToDie ??= existsSync(SETPRIV) && spawnSync(SETPRIV, [...END_WITH_PARENT.slice(1), "/bin/true"]).status === 0;
  return isAbleToDie ? END_WITH_PARENT : [];
}

/** It must not keep a gateway alive that has nothing else to do. */
export function letGo({ child, channel }: Launched): void {
  child.unref();
  channel.unref();
  for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref();
}

/** In a sandbox that holds what it may read and no more; without one, by Node's own permissions alone. */
const programFor = (order: Launch): Promise<Enclosed> =>
  enclosedNode({ ...order, cwd: order.folder, args: argumentsFor(order), readable: readableFor(order) });

type NodeProgram = {
  cwd: string;
  args: readonly string[];
  readable: readonly string[];
  network: boolean;
  isNear?: boolean;
};

/** Node with these arguments, which say by themselves what is allowed where there is no sandbox. */
export async function enclosedNode(program: NodeProgram): Promise<Enclosed> {
  const { cwd, args: given, readable, network, isNear = false } = program;
  const argv = [process.execPath, ...given];
  const places = [...readable, process.execPath].map((path) => ({ path, as: "readable" as const }));
  const view: View = { rest: "read-only", network, places: [...bareMachine(), ...(network ? NAMES : []), ...places] };
  const enclosed = await machineSandbox().enclose(view, { cwd, argv, isNear });
  if (enclosed !== undefined) return enclosed;
  if (machineSandbox().isUncertain())
    throw new GuestError("This machine was too busy to start a sandbox for the plugin; try again in half a minute.");
  const [file = process.execPath, ...args] = [...dyingWithGateway(), ...argv];
  return { file, args };
}

/** What finding another machine by its name takes, and checking who it is. */
const NAMES: readonly Place[] = ["/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/ssl", "/etc/pki"].map(
  (path) => ({ path, as: "readable" }),
);

/** The plugin's own folder, the SDK and its zod. */
function readableFor({ folder }: Launch): string[] {
  const guest = fileURLToPath(GUEST_ENTRY);
  const isBuilt = guest.endsWith(".js"); // then all of it lies flat in one folder
  const sources = isBuilt ? dirname(guest) : fileURLToPath(new URL("../../", import.meta.url));
  const zod = dirname(createRequire(import.meta.url).resolve("zod/package.json"));
  return [join(folder, "/"), join(sources, "/"), join(zod, "/"), join(sources, "..", "package.json")];
}

/** Nothing else: no file, process, thread, addon, address. */
function argumentsFor(order: Launch): string[] {
  const { network, limits } = order;
  return [
    "--permission",
    ...readableFor(order).map((path) => `--allow-fs-read=${path}`),
    ...(network ? ["--allow-net"] : []),
    "--no-experimental-sqlite", // it opens any file without asking for the permission
    "--disable-sigusr1", // or a signal would open its debugger
    "--freeze-flags-after-init", // some of V8's settings name files to write; whoever changes one now ends its process
    `--max-old-space-size=${limits.heapMegabytes}`,
    "--no-warnings",
    fileURLToPath(GUEST_ENTRY),
  ];
}

/** Beyond the rate it is dropped: a log is no place to hide something in. */
function readOutput(stream: Readable | null, { limits, print }: Launch): void {
  const tooMany = floodGuard({ ...limits, messagesPerSecondMax: limits.outputLinesPerSecondMax });
  let rest = "";
  stream?.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = (lines.pop() ?? "").slice(0, limits.outputLineCharsMax);
    for (const line of lines) {
      if (line.trim() !== "" && !tooMany(line.length)) print(line.slice(0, limits.outputLineCharsMax));
    }
  });
}
