import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { execWorld, runs, SECRET } from "../../../../test/kit/exec-world.ts";
import { probedSandbox } from "../../../runner/sandbox.ts";
import { readersView } from "./enclosed-command.ts";
import { USUAL_EXEC_SETTINGS } from "./exec-parts.ts";

const CREDENTIAL = "a-private-key";
const OTHERS = "a-cookie-of-a-browser";

/** A home folder as people have it, in force while the test runs. */
function home(): string {
  // not below /tmp, which readers do not see, wherever this checkout lies
  const folder = realpathSync(mkdtempSync(join(userInfo().homedir, ".holdpoint-test-home-")));
  for (const [name, text] of [
    [".ssh/id_ed25519", CREDENTIAL],
    [".aws/credentials", CREDENTIAL],
    [".netrc", CREDENTIAL],
    [".mozilla/firefox/cookies.sqlite", OTHERS],
    [".claude/credentials.json", OTHERS],
    ["notes.txt", "mine"],
  ] as const) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const before = process.env["HOME"];
  process.env["HOME"] = folder;
  onTestFinished(() => {
    process.env["HOME"] = before;
    rmSync(folder, { recursive: true });
  });
  return folder;
}

/** A service of the same person that answers on a socket in a folder of its own. */
async function service(): Promise<{ path: string; asked(): number }> {
  const folder = realpathSync(mkdtempSync("/var/tmp/holdpoint-service-"));
  const path = join(folder, "service.sock");
  let asked = 0;
  const server = createServer(() => void (asked += 1)).listen(path);
  await new Promise((listening) => server.once("listening", listening));
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { path, asked: () => asked };
}

const kinds = [];
for (const builder of ["bubblewrap", "perl", "util-linux"] as const) {
  const sandbox = probedSandbox({ builders: [builder] });
  if ((await sandbox.kind()) === builder) kinds.push([builder, sandbox] as const);
  else process.stdout.write(`views of commands with ${builder}: skipped, it does not work here\n`);
}

const text = (result: unknown): string => JSON.stringify(result);

describe.each(kinds)("a command by %s", (_name, sandbox) => {
  it("[GA-13] that only reads sees the person's files, and nothing that proves who they are", async () => {
    const folder = home();
    const { exec } = execWorld({ parts: { sandbox } });
    const found = text(await exec(`cat ${folder}/notes.txt ${folder}/.ssh/id_ed25519; grep -rs . ${folder}`));
    expect(found).toContain("mine");
    expect(found).not.toContain(CREDENTIAL);
    expect(found).not.toContain(OTHERS);
  });

  it("[GA-13] that only reads does not see what was made between it and the command before, nor a folder that was not there then", async () => {
    const folder = home();
    const { exec } = execWorld({ parts: { sandbox } });
    const look = `cat ${folder}/notes.txt; grep -rs . ${folder}`;
    expect(text(await exec(look))).toContain("mine");
    for (const name of [".pgpass", ".config/gh/hosts.yml", ".local/share/keyrings/login", "Library/Cookies/c"]) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), CREDENTIAL);
    }
    rmSync(join(folder, ".netrc"));
    writeFileSync(join(folder, "new"), CREDENTIAL);
    renameSync(join(folder, "new"), join(folder, ".netrc"));
    rmSync(join(folder, ".aws"), { recursive: true });
    mkdirSync(join(folder, "moved"));
    writeFileSync(join(folder, "moved", "credentials"), CREDENTIAL);
    symlinkSync(join(folder, "moved"), join(folder, ".aws")); // what stands behind it is hidden
    const found = text(await exec(look));
    expect(found).toContain("mine");
    expect(found).not.toContain(CREDENTIAL);
  });

  it("[GA-13] that was approved works with the person's keys, and without their other programs", async () => {
    const folder = home();
    const { exec } = execWorld({ parts: { sandbox } });
    const found = text(
      await exec(`touch made; cat ${folder}/.ssh/id_ed25519; grep -rs . ${folder}/.mozilla ${folder}/.claude`),
    );
    expect(found).toContain(CREDENTIAL);
    expect(found).not.toContain(OTHERS);
  });

  it("[GA-13] reaches no service of the same person by its socket, unless a person shows it", async () => {
    const { path, asked } = await service();
    const connect = `touch made; ${process.execPath} -e 'require("net").connect(process.argv[1]).on("error", (e) => console.log(e.code)).on("connect", function () { this.end() })' ${path}`;
    const { exec } = execWorld({ parts: { sandbox } });
    expect(text(await exec(connect))).toMatch(/ECONNREFUSED|ENOENT|EACCES|ENOTSOCK/);
    expect(asked()).toBe(0);
    const settings = () => ({ ...USUAL_EXEC_SETTINGS, show: [path] });
    const shown = execWorld({ parts: { sandbox, settings } });
    expect(text(await shown.exec(connect))).toContain('"exitCode":0');
    await expect.poll(asked).toBe(1);
  });

  it("[RT-04, GA-13] leaves nothing behind when it is stopped while its sandbox is still being built", async () => {
    const marker = `67.${process.pid}`;
    for (let delayTurns = 0; delayTurns < 12; delayTurns++) {
      const { exec, processes } = execWorld({ parts: { sandbox } });
      await exec(`touch made; sleep ${marker}`, { background: true });
      for (let turn = 0; turn < delayTurns; turn++) await new Promise((next) => setImmediate(next));
      await processes.endAll();
    }
    await expect.poll(() => runs(marker)).toBe(false);
  });

  it("[GA-13] does not see what a person hides besides", async () => {
    const folder = home();
    const settings = () => ({ ...USUAL_EXEC_SETTINGS, hide: [join(folder, "notes.txt")] });
    const { exec } = execWorld({ parts: { sandbox, settings } });
    for (const command of [`cat ${folder}/notes.txt`, `touch made; cat ${folder}/notes.txt`]) {
      expect(text(await exec(command))).not.toContain("mine");
    }
  });

  it("[AE-02, GA-13] that was approved changes no agent's settings in the workspace, and all else there", async () => {
    const files = { ".claude/settings.json": "mine", ".mcp.json": "mine", "a.txt": "a" };
    const { exec, workspace } = execWorld({ files, parts: { sandbox } });
    const tries = [
      "echo x > .claude/settings.json",
      "mv .claude away",
      "mv x .mcp.json",
      "echo x > .mcp.json",
      "ln -sfn x .claude",
      "echo x > .claude/hook",
    ];
    await exec(`touch x; ${tries.join("; ")}; echo b > a.txt; mkdir .git; echo x > .git/config`);
    const read = (name: string): string => readFileSync(join(workspace, name), "utf8");
    expect([".claude/settings.json", ".mcp.json", "a.txt", ".git/config"].map(read)).toEqual([
      "mine",
      "mine",
      "b\n",
      "x\n",
    ]);
    expect(readdirSync(join(workspace, ".claude"))).toEqual(["settings.json"]);
    // A person who shows the folder lets commands change it.
    const settings = () => ({ ...USUAL_EXEC_SETTINGS, show: [join(workspace, ".claude")] });
    await execWorld({ parts: { sandbox, settings } }).exec("echo y > .claude/settings.json", {}, { workspace });
    expect(read(".claude/settings.json")).toBe("y\n");
  });

  it("[GA-13] brings nothing hidden back by a link where an agent's settings are kept", async () => {
    const { exec, workspace, state } = execWorld({ files: { "a.txt": "a" }, parts: { sandbox } });
    mkdirSync(join(state, "below"));
    writeFileSync(join(state, "below", "key"), CREDENTIAL);
    symlinkSync(state, join(workspace, ".claude"));
    symlinkSync(join(state, "below"), join(workspace, ".codex"));
    const found = text(await exec("touch made; ls .claude .codex; cat .claude/operator.token .codex/key"));
    expect(found).not.toContain(SECRET);
    expect(found).not.toContain(CREDENTIAL);
  });

  it("[GA-13] does not open a hidden folder by starting in it", async () => {
    const folder = home();
    const { exec, workspace } = execWorld({ files: { "secrets/sub/key": CREDENTIAL }, parts: { sandbox } });
    const hide = [join(workspace, "secrets")];
    const hiding = execWorld({ parts: { sandbox, settings: () => ({ ...USUAL_EXEC_SETTINGS, hide }) } });
    const where = { workspace };
    for (const cwd of ["secrets", "secrets/sub"])
      for (const command of ["cat key sub/key", "touch made; cat key sub/key"])
        expect(text(await hiding.exec(command, { cwd }, where))).not.toContain(CREDENTIAL);
    for (const [command, cwd] of [
      ["cat id_ed25519", ".ssh"],
      ["cat cookies.sqlite", ".mozilla/firefox"],
      ["touch made; cat cookies.sqlite", ".mozilla/firefox"],
    ] as const) {
      const found = text(await exec(command, { cwd }, { workspace: folder })); // who works in their home folder
      expect(found).not.toContain(CREDENTIAL);
      expect(found).not.toContain(OTHERS);
    }
  });

  it("[GA-13] that only reads sees no credentials of the person when HOME says something else", async () => {
    const folder = userInfo().homedir;
    const before = process.env["HOME"];
    process.env["HOME"] = "/";
    onTestFinished(() => void (process.env["HOME"] = before));
    const places = readersView({
      cwd: "/srv",
      root: "/srv",
      hidden: [],
      context: { settings: {} } as never,
      parts: { settings: () => USUAL_EXEC_SETTINGS } as never,
    }).places;
    expect(places).toContainEqual({ path: join(folder, ".ssh"), as: "hidden" });
  });
});
