/** What no list names is hidden all the same: other gateways, browsers by what is in their folders, sockets by other names. */
import { linkSync, mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { execWorld, SECRET } from "../../../../test/kit/exec-world.ts";
import { folderInHome, workingSandboxes } from "../../../../test/kit/working-sandboxes.ts";
import { announceGateway } from "../../../runner/hidden/recognised-places.ts";

const COOKIE = "a-cookie-of-a-browser";
const text = (result: unknown): string => JSON.stringify(result);

const folder = (): string => folderInHome("found");

function fill(root: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
}

/** The person's, while the test runs. */
function home(files: Readonly<Record<string, string>>): string {
  const made = folder();
  fill(made, files);
  const before = process.env["HOME"];
  process.env["HOME"] = made;
  onTestFinished(() => void (process.env["HOME"] = before));
  return made;
}

const kinds = await workingSandboxes("found places");

const CHROMIUM = { "Local State": "{}", "Default/Cookies": COOKIE, "Default/Login Data": COOKIE };
const FIREFOX = { "profiles.ini": "", "x.default/cookies.sqlite": COOKIE, "x.default/logins.json": COOKIE };

describe.each(kinds)("a command by %s", (_kind, sandbox) => {
  async function seen(path: string): Promise<string> {
    const { exec } = execWorld({ parts: { sandbox } });
    return text([await exec(`grep -rs . ${path}`), await exec(`touch made; grep -rs . ${path}`)]);
  }

  it("[GA-13] sees no profile of a browser that nobody named, and no file of a password store", async () => {
    const person = home({ ".config/editor/settings": "mine", ".local/share/kwalletd/kdewallet.kwl": COOKIE });
    fill(join(person, ".config/some-browser"), CHROMIUM);
    fill(join(person, ".config/SomeVendor/Browser-Nightly"), CHROMIUM);
    fill(join(person, ".config/mozilla/firefox"), FIREFOX);
    fill(join(person, ".somefox"), FIREFOX);
    fill(join(person, ".local/share/some-web"), { "cookies.sqlite": COOKIE });
    fill(join(person, "snap/some-fox/common/.somefox"), FIREFOX);
    const found = await seen(person);
    expect(found).toContain("mine");
    expect(found).not.toContain(COOKIE);
  });

  it("[GA-13] sees none that became one between two commands, nor in a folder whose time was set back", async () => {
    const person = home({ ".config/other/settings": "mine", ".config/later/settings": "mine" });
    expect(await seen(person)).toContain("mine");
    fill(join(person, ".config/later"), CHROMIUM);
    utimesSync(join(person, ".config/later"), 0, 0);
    expect(await seen(person)).not.toContain(COOKIE);
  });

  it("[GW-04] sees no folder of another gateway: the usual one, one that was announced, one beside its own, one that runs", async () => {
    const person = home({
      ".holdpoint/operator.token": SECRET,
      "my-holdpoint/operator.token": SECRET,
      "notes.txt": "mine",
    });
    const elsewhere = folder();
    const [announced, running] = [join(elsewhere, "some/deep/place"), join(elsewhere, "an/other/one")];
    for (const at of [announced, running]) fill(at, { "operator.token": SECRET });
    announceGateway(announced, person);
    const server = createServer().listen(join(running, "agents.sock.0a1b"));
    await new Promise((listening) => server.once("listening", listening));
    onTestFinished(() => void server.close());
    renameSync(join(running, "agents.sock.0a1b"), join(running, "agents.sock"));
    const found = await seen(`${person} ${announced} ${running}`);
    expect(found).toContain("mine");
    expect(found).not.toContain(SECRET);
  });

  it("[GA-13] reaches no service by a name that the system does not list: renamed, linked, with a line break in it", async () => {
    const root = folder();
    for (const name of ["renamed", "linked", "second", "line\nbreak"]) fill(join(root, name), { "a-file": "x" });
    const at = (name: string): string => join(root, name);
    let asked = 0;
    for (const name of ["renamed/s.tmp", "linked/s", "line\nbreak/s"]) {
      const server = createServer(() => void (asked += 1)).listen(at(name));
      await new Promise((listening) => server.once("listening", listening));
      onTestFinished(() => void server.close());
    }
    renameSync(at("renamed/s.tmp"), at("renamed/s"));
    linkSync(at("linked/s"), at("second/s"));
    symlinkSync(at("renamed/s"), at("by-link"));
    const script = `require("fs").globSync("${root}/{*,*/*}").forEach((p) => require("net").connect(p).on("error", () => {}).on("connect", function () { console.log("reached " + p); this.end() }))`;
    const { exec } = execWorld({ parts: { sandbox } });
    const said = text(await exec(`touch made; ${process.execPath} -e '${script}'`));
    expect(said).toContain('"exitCode":0');
    expect([said.includes("reached"), asked]).toEqual([false, 0]);
  });
});
