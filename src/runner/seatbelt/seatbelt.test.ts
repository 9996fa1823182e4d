/** Seatbelt as far as it can be tried without a Mac: what its profiles say, and when it counts as a sandbox. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readSeatbelt } from "../../../test/kit/read-seatbelt.ts";
import { runEnclosed } from "../../../test/kit/run-enclosed.ts";
import { existingPlaces } from "../hidden/existing-places.ts";
import {
  bareMachine,
  fixedAbove,
  hiddenFromReaders,
  hiddenFromWriters,
  keptInWorkspace,
} from "../hidden/hidden-places.ts";
import { chosenBuilders, type Enclosed, probedSandbox } from "../sandbox.ts";
import { spawnEnclosed } from "../spawn-enclosed.ts";
import { mountOrder, type Place, type View } from "../view.ts";
import { seatbeltProfile, type SeatbeltView } from "./profile.ts";
import { seatbeltEnclosed } from "./seatbelt.ts";
import { prepareTrials } from "./trial.ts";

/** A person's machine with a gateway on it. */
function machine() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-seatbelt-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const at = (name: string): string => join(root, name);
  const files = [
    ".ssh/id",
    ".docker/run/docker.sock",
    ".mozilla/cookies",
    "work/code",
    "work/.claude/settings",
    "other",
  ];
  for (const name of [...files, ".holdpoint/token", "work/.holdpoint/token", "Library/Keychains/login"]) {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), name);
  }
  const own = [at(".holdpoint"), at("work/.holdpoint")];
  return { at, own, hiding: { home: root, own, hide: [], show: [] } };
}

/** As `existingPlaces` would say it of a Mac. */
const onMac = (places: readonly Place[]) =>
  mountOrder(places.map((place) => ({ ...place, isFolder: true, isSocket: false })));
const read = (view: Partial<SeatbeltView>) =>
  readSeatbelt(seatbeltProfile({ rest: "read-only", network: false, places: [], cwd: "/", ...view }));

it("[GA-13, GA-15] denies what no rule names: services that act for a program, other processes, the network", () => {
  for (const view of [{}, { rest: "writable", network: true }] as const) {
    const { rules, may } = read(view);
    expect(rules.slice(0, 2)).toEqual([
      ["version", "1"],
      ["deny", "default"],
    ]);
    expect(
      rules.filter(([verdict, what]) => verdict === "allow" && (what === "default" || what === "mach-lookup")).length,
    ).toBe(view.network === true ? 2 : 1); // and each names its services
    for (const service of ["SecurityServer", "securityd.xpc", "coreservices.launchservicesd", "pasteboard.1"])
      expect([service, may("mach-lookup", undefined, `com.apple.${service}`)]).toEqual([service, false]);
    expect(["kern.procargs2", "kern.proc.all"].map((name) => may("sysctl-read", undefined, name))).toEqual([
      false,
      false,
    ]);
    expect(["others", "same-sandbox"].map((target) => may("signal", undefined, target))).toEqual([false, true]);
    expect(["/dev/rdisk0", "/dev/ttys001", "/dev/tty"].some((path) => may("file-read-data", path))).toBe(false);
    expect(["appleevent-send", "lsopen", "job-creation", "file-link"].some((operation) => may(operation))).toBe(false);
  }
  expect(read({}).may("network-outbound", undefined, "ip")).toBe(false);
  expect(read({ network: true }).may("network-outbound", undefined, "ip")).toBe(true);
});

it("[GA-06, GA-13] shows a command that only reads the person's files, and no state folder, key, profile or socket", () => {
  const { at, hiding, own } = machine();
  const places = [
    ...hiddenFromReaders(hiding),
    { path: at("work"), as: "readable" } as const,
    ...own.map((path) => ({ path, as: "hidden" as const })),
  ].filter(({ path }) => path !== "/tmp" && path !== "/var/tmp"); // this machine lies below one of them
  const { may } = read({ places: existingPlaces(places) });
  expect(["work/code", "other"].map((name) => may("file-read-data", at(name)))).toEqual([true, true]);
  for (const name of [
    ".holdpoint/token",
    "work/.holdpoint/token",
    ".ssh/id",
    ".mozilla/cookies",
    "Library/Keychains/login",
  ])
    expect([name, may("file-read-data", at(name)), may("file-read-metadata", at(name))]).toEqual([name, false, false]);
  for (const name of ["work/code", "work/new", "other", ".holdpoint/token"])
    expect([name, may("file-write-data", at(name)), may("file-write-create", at(name))]).toEqual([name, false, false]);
  expect(may("network-outbound", at(".docker/run/docker.sock"))).toBe(false);
  expect(may("network-bind", at("work/own.sock"))).toBe(false);
});

it("[GA-13] lets an approved command work as the person does, without the gateway's folder and others' programs", () => {
  const { at, hiding, own } = machine();
  const places = existingPlaces([
    ...fixedAbove(own),
    ...hiddenFromWriters(hiding),
    { path: at("work"), as: "writable" },
    ...keptInWorkspace(at("work")),
  ]);
  const { may } = read({ rest: "writable", network: true, places });
  for (const name of ["work/code", "work/new", "other", ".ssh/id"])
    expect([name, may("file-read-data", at(name)), may("file-write-data", at(name))]).toEqual([name, true, true]);
  for (const name of [".holdpoint/token", "work/.holdpoint/token", ".mozilla/cookies", "Library/Keychains/login"])
    expect([name, may("file-read-data", at(name)), may("file-write-create", at(name))]).toEqual([name, false, false]);
  expect([
    may("file-read-data", at("work/.claude/settings")),
    may("file-write-data", at("work/.claude/settings")),
  ]).toEqual([true, false]);
  const stays = [".holdpoint", "work/.holdpoint", "work/.claude", "work", "Library"];
  expect(stays.filter((name) => may("file-write-unlink", at(name)))).toEqual([]); // not moved away from under their rules
  expect(may("file-write-unlink", at("work/code"))).toBe(true);
  expect([
    may("network-outbound", at("work/own.sock")),
    may("network-outbound", at(".docker/run/docker.sock")),
  ]).toEqual([true, false]);
  expect(may("network-outbound", at("work/.holdpoint/gateway.sock"))).toBe(false);
  expect(may("network-outbound", "/private/tmp/com.apple.launchd.x/Listeners")).toBe(false); // the agent of ssh
});

it("[GA-13] the deeper place counts, to any depth, and what is hidden is hidden by every name of its volume", () => {
  const places = onMac([
    { path: "/a", as: "hidden" },
    { path: "/a/b", as: "readable" },
    { path: "/a/b/c", as: "hidden" },
    { path: "/a/b/c/d", as: "writable" },
  ]);
  const { may } = read({ places });
  const asked = ["/a/x", "/a/b/x", "/a/b/c/x", "/a/b/c/d/x", "/ab"];
  expect(asked.map((path) => may("file-read-data", path))).toEqual([false, true, false, true, true]);
  expect(asked.map((path) => may("file-write-data", path))).toEqual([false, false, false, true, false]);
  expect(may("file-read-metadata", "/a/b/c")).toBe(true); // one passes through it
  expect(may("file-read-data", "/a/b/c")).toBe(false);
  expect(may("file-read-data", "/System/Volumes/Data/a/x")).toBe(false);
});

it("[GA-13] a process that needs nothing sees the system and what it is shown, on a Mac as well", () => {
  const names = [
    "Applications",
    "Library",
    "System",
    "Users",
    "Volumes",
    "bin",
    "dev",
    "opt",
    "private",
    "sbin",
    "usr",
  ];
  const shown = { path: "/Users/me/work", as: "readable" } as const;
  const scratch = "/private/var/folders/x/T/holdpoint-scratch-1";
  const places = onMac([...bareMachine({ platform: "darwin", names }), shown]);
  const { may } = read({ places, scratch });
  const seen = ["/usr/lib/dyld", "/System/Library/x", "/private/var/db/dyld/x", "/Users/me/work/code", `${scratch}/x`];
  expect(seen.filter((path) => !may("file-read-data", path))).toEqual([]);
  const unseen = [
    "/Users/me/.ssh/id",
    "/Library/Keychains/System.keychain",
    "/private/var/folders/x/T/other",
    "/private/etc/x",
  ];
  expect([...unseen, "/Volumes/USB/x", "/opt/x"].filter((path) => may("file-read-data", path))).toEqual([]);
  expect([may("file-write-create", `${scratch}/x`), may("file-write-create", "/tmp/x")]).toEqual([true, false]);
});

it("[GA-13] no name of a folder becomes a rule: paths are parameters and not part of the text", () => {
  const odd = ['a")(allow default)(x "', "line\n(allow default)", "back\\slash", "a=b", "-Dx=/", "é (ü)", '#"x'];
  for (const name of odd) {
    const path = `/Users/me/${name}`;
    const view = { rest: "read-only", network: false, places: onMac([{ path, as: "hidden" }]), cwd: path } as const;
    const profile = seatbeltProfile(view);
    expect(profile.text).not.toContain(name);
    expect([readSeatbelt(profile).may("file-read-data", `${path}/x`), read({}).may("file-read-data", path)]).toEqual([
      false,
      true,
    ]);
    const enclosed = seatbeltEnclosed(view, { program: { cwd: path, argv: ["/bin/ls", name] }, find: here });
    expect(enclosed?.args).toContain(`-DPLACE_0=${path}`);
    expect(enclosed?.args.slice(-4)).toEqual([path, "", "/bin/ls", name]);
  }
});

/** A machine on which everything lies where it usually does. */
const here = (name: string): string => `/usr/bin/${name}`;

it("[GA-13] gives each process a folder for temporary files of its own, and removes it with the process", async () => {
  const view = { rest: "read-only", network: false, places: onMac([{ path: "/private/tmp", as: "scratch" }]) } as const;
  const make = () => seatbeltEnclosed(view, { program: { cwd: "/", argv: ["/bin/true"] }, find: here });
  const [one, two] = [make(), make()];
  if (one?.scratch === undefined || two?.scratch === undefined) throw new Error("no scratch");
  expect([one.scratch === two.scratch, statSync(one.scratch).mode & 0o777]).toEqual([false, 0o700]);
  // up to the start of sandbox-exec, which this machine does not have; then by the program itself
  const after = one.args.slice(one.args.indexOf("--") + 2);
  const bash: Enclosed = {
    file: "/bin/bash",
    args: [...after.slice(0, -1), "/bin/sh", "-c", 'echo "$TMPDIR $PWD"'],
    scratch: one.scratch,
  };
  expect(await runEnclosed(bash)).toBe(`${one.scratch} /\n`);
  const failing = spawnEnclosed({ ...two, file: "/nowhere/sandbox-exec" }, { env: {}, stdio: ["ignore"] });
  await new Promise((failed) => failing.once("error", failed));
  await expect.poll(() => [one, two].some(({ scratch = "" }) => existsSync(scratch))).toBe(false);
});

const onlySeatbelt = (find: (name: string) => string | undefined, exits: (enclosed: Enclosed) => "works" | "fails") =>
  probedSandbox({ builders: ["seatbelt"], find, attempt: async (enclosed) => exits(enclosed) });

it("[GA-15] is the sandbox of macOS alone; a system that nobody named has none", async () => {
  expect(chosenBuilders({}, "darwin")).toEqual(["seatbelt"]);
  expect(chosenBuilders({ HOLDPOINT_SANDBOX: "bubblewrap" }, "darwin")).toEqual([]);
  expect(chosenBuilders({ HOLDPOINT_SANDBOX: "seatbelt" }, "linux")).toEqual([]);
  for (const platform of ["win32", "freebsd", "openbsd", "sunos"] as const) {
    const sandbox = probedSandbox({ builders: chosenBuilders({}, platform) });
    expect([await sandbox.kind(), await sandbox.enclose(ANY, PROGRAM)]).toEqual(["none", undefined]);
  }
});

const ANY: View = { rest: "read-only", network: false, places: [] };
const PROGRAM = { cwd: "/", argv: ["/bin/true"] };

it("[GA-15] without sandbox-exec, or where the trial does not hold, there is no sandbox", async () => {
  const missing = onlySeatbelt(
    (name) => (name === "sandbox-exec" ? undefined : here(name)),
    () => "works",
  );
  expect([await missing.kind(), await missing.enclose(ANY, PROGRAM)]).toEqual(["none", undefined]);
  const open = onlySeatbelt(here, ({ args }) => (args.includes("writable") ? "fails" : "works"));
  expect([await open.kind(), await open.enclose(ANY, PROGRAM)]).toEqual(["none", undefined]);
  const holding = onlySeatbelt(here, () => "works");
  expect([await holding.kind(), (await holding.enclose(ANY, PROGRAM))?.file]).toEqual([
    "seatbelt",
    "/usr/bin/sandbox-exec",
  ]);
});

it("[GA-13] the trial fails where nothing holds, and holds in a sandbox that does", async () => {
  const { trials, remove } = prepareTrials();
  onTestFinished(remove);
  const bare = trials.map(({ program: { argv } }) => spawnSync(argv[0] ?? "", argv.slice(1)).status);
  expect(bare).toEqual([11, 11]);
  const sandbox = probedSandbox({ builders: ["bubblewrap", "perl"] });
  if ((await sandbox.kind()) === "none")
    return void process.stdout.write("the trial in a sandbox: skipped, none works here\n");
  for (const { view, program } of trials) {
    const enclosed = await sandbox.enclose(view, program);
    if (enclosed === undefined) throw new Error("no sandbox");
    const child = spawnEnclosed(enclosed, { env: { PATH: "/usr/bin:/bin" }, stdio: ["ignore", "ignore", "ignore"] });
    expect(await new Promise((exited) => child.once("exit", exited))).toBe(0);
  }
});
