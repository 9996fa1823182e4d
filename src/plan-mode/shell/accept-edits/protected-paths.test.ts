import { describe, expect, it } from "vitest";
import { judgeAcceptEdits } from "../shell-gate.ts";
import { UNKNOWN } from "./finding.ts";
import type { EditPlace } from "./finding.ts";
import { absolutePath, isProtected, pathsInArgument } from "./protected-paths.ts";

const PLACE: EditPlace = { cwd: "/w", home: "/home/u" };
const written = (path: string, place: EditPlace = PLACE): boolean =>
  judgeAcceptEdits({ tool: "write", path }, place).allowed;
const run = (command: string): string => {
  const judged = judgeAcceptEdits({ tool: "exec", command }, PLACE);
  return judged.allowed ? "passes" : judged.class;
};

describe("a protected folder", () => {
  it.each([
    "~/.holdpoint",
    "~/.config/holdpoint",
    "/etc/holdpoint",
    "/usr/local/etc/holdpoint",
    "~/.claude",
    "~/.codex",
    "~/.gemini",
    "~/.config/opencode",
    "~/.claude.json",
  ])("[AE-02, AE-04] is %s with all that is in it, and no other that begins alike", (folder) => {
    expect([folder, `${folder}/a/b`, `${folder}x`, `${folder}x/a`].map((path) => written(path))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect([`touch ${folder}/a`, `touch ${folder}x`].map(run)).toEqual(["config-change", "passes"]);
  });

  it.each([
    ["echo x | tee /dev/stderr 2< ~/.holdpoint/a", "config-change"],
    ["echo x > /dev/fd/3 3< ~/.holdpoint/a", "config-change"],
    ["{ echo x | tee /dev/stderr; } 2< ~/.holdpoint/a", "config-change"],
    ["tee /dev/stderr < ~/.holdpoint/a 2>&0", "config-change"],
    ["tee /dev/stdin < ~/.holdpoint/a", "config-change"],
    ["echo x | tee /dev/stderr 2< ~/.holdpointx/a", "passes"],
    ["cat < ~/.holdpoint/a", "passes"],
    ["grep x < ~/.holdpoint/a | tee /dev/stderr", "passes"],
  ])("[AE-02, AE-04] is not opened anew through a descriptor: %s", (command, expected) => {
    expect(run(command)).toBe(expected);
  });

  it("[AE-04] is one of the project's, where agents read their settings", () => {
    const paths = [".claude/settings.json", "a/b/.claude/settings.local.json", ".claude/x", "a.claude/settings.json"];
    expect(paths.map((path) => written(path))).toEqual([false, false, true, true]);
  });

  it("[AE-04] is one that the gateway names", () => {
    const place = { ...PLACE, folders: ["/srv/state"] };
    expect(["/srv/state", "/srv/state/x", "/srv/statex", "/srv"].map((path) => written(path, place))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(written("/srv/state/x")).toBe(true);
  });
});

describe("a path", () => {
  it.each([
    ["a", "/w/a"],
    ["a/b", "/w/a/b"],
    ["./a", "/w/a"],
    ["a/./b//c", "/w/a/b/c"],
    ["../a", "/a"],
    ["a/../../b", "/b"],
    ["/../a", "/a"],
    ["../../../a", "/a"],
    ["/a/b/", "/a/b"],
    ["/a", "/a"],
    ["/", "/"],
    ["~", "/home/u"],
    ["~/a", "/home/u/a"],
    ["~x/a", `/${UNKNOWN}/a`],
    ["/proc/self/root/etc/a", "/etc/a"],
    ["a/~/b", "/w/a/~/b"],
    ["$HOME", "/home/u"],
    ["$HOME/a", "/home/u/a"],
    ["${HOME}/a", "/home/u/a"],
    ["$HOMEX/a", "/w/$HOMEX/a"],
    ["a/.b", "/w/a/.b"],
    ["a..b", "/w/a..b"],
  ])("[AE-04] is made absolute as a shell would: %s", (path, expected) => {
    expect(absolutePath(path, PLACE)).toBe(expected);
  });

  it("[AE-04] is seen from any folder, however that is written", () => {
    const seen = ["/w/", "/w/../v", "/", "/w//x", "/w/./x", `/${"x/".repeat(40)}y`].map((cwd) =>
      absolutePath("a", { ...PLACE, cwd }),
    );
    expect(seen).toEqual(["/w/a", "/v/a", "/a", "/w/x/a", "/w/x/a", `/${"x/".repeat(40)}y/a`]);
  });

  it("[AE-04, GA-08] is read so deep and no deeper", () => {
    expect(absolutePath(`/${"a/".repeat(80)}b`, PLACE).split("/")).toHaveLength(65);
    expect(absolutePath("a/".repeat(20) + "b", PLACE)).toBe(`/w/${"a/".repeat(20)}b`);
  });

  it.each([
    ["/home/u/.cod*", true],
    ["/home/u/.code?", true],
    ["/home/u/.[c]odex/x", true],
    ["/home/u/.[!x]odex/x", true],
    ["/etc/hold*/x", true],
    ["/etc/hold*", true],
    ["/etc/holdx*/x", false],
    ["/usr/local/et?/holdpoint", true],
    ["/etc/*", false],
    ["/etc/holdpoin?x", false],
    ["/opt/hold*/x", false],
    ["a/$HOME/.codex", false],
    ["a/${HOME}/.codex", false],
    ["${HOME}", false],
    ["*/x.codex/y", false],
    ["/home/u/.[!c]odex/x", false],
    ["/home/u/.[/x", true], // no pattern that can be read: then it may be any
    ["/home/u/.cod?", false],
    ["/home/u/.xod*", false],
    ["/home/u/*", false], // says nothing
    ["/home/u/??????", false],
    ["*/.claude/x", true],
    ["*/.holdpoint/x", true],
    ["?/.config/holdpoint", true],
    ["*/.claudex/x", false],
    ["*/x.claude/y", false],
    ["/opt/.holdpoint/x", false],
    ["/home/u", false],
    ["..", false],
  ])("[AE-04] with a pattern stands for what it could become: %s", (path, expected) => {
    expect(isProtected(path, PLACE)).toBe(expected);
  });

  it.each([
    ["touch $X/.holdpoint/x", "config-change"],
    ["touch $X/.config/holdpoint/x", "config-change"],
    ["touch $X/.claude/x", "config-change"],
    ["touch $X/.codex/x", "config-change"],
    ["touch $X/.gemini/x", "config-change"],
    ["touch $X/.config/opencode/x", "config-change"],
    ["touch $X/.config/open*/x", "config-change"],
    ['echo a > "$X/.claude.json"', "config-change"],
    ["touch ${X}.codex/x", "config-change"],
    ["touch /home/*/.codex/x", "config-change"],
    ["touch /home/*/.cod*/x", "config-change"],
    ["touch */.gemini", "config-change"],
    ["touch $X/.config/other/x", "passes"],
    ["touch $X/opencode/x", "passes"],
    ["touch $X/.config", "passes"],
    ["touch */codex/x", "passes"],
    ["touch */*codex/x", "passes"], // a star finds no name that begins with a dot
    ["touch 'x['/a", "passes"],
    ["touch $X/.holdpointx", "passes"],
    ["touch $X/a", "passes"],
  ])("[AE-03, AE-04] whose beginning is unknown is told by its end: %s", (command, expected) => {
    expect(run(command)).toBe(expected);
  });

  it("[AE-04] leads where its symlinks lead, also for what is not there yet", () => {
    const links: Record<string, string> = { "/": "/", "/w": "/w", "/w/link": "/home/u/.codex", "/home/u": "/home/u" };
    const place = { ...PLACE, realpath: (path: string) => links[path] };
    expect(
      ["link", "link/new/file", "other", "linkx", "/w/link/../.gemini/x"].map((path) => isProtected(path, place)),
    ).toEqual([
      true,
      true,
      false,
      false,
      true, // one folder above the link's target
    ]);
    const deep: Record<string, string> = {
      "/w": "/w",
      "/home/u/l": "/home/u/.codex/a/b",
      "/w/l": "/home/u/.codex/a/b",
    };
    const walked = { ...PLACE, realpath: (path: string) => deep[path] };
    const paths = ["~/l/../x", "~/l/../../../x", "./l/./../x", "l/../../x", "~/k/../x", "k/~/../x", "l/x/../.."];
    expect(paths.map((path) => isProtected(path, walked))).toEqual([true, false, true, true, false, false, true]);
    const moved = { ...PLACE, realpath: (path: string) => (path === "/home/u/.codex" ? "/data/codex" : undefined) };
    expect(isProtected("/data/codex/x", moved)).toBe(true);
    expect(isProtected("/data/codex/x", PLACE)).toBe(false);
  });

  it("[AE-04] is compared without case only where the file system does so", () => {
    expect(isProtected("/home/u/.CODEX/x", { ...PLACE, ignoreCase: true })).toBe(true);
    expect(isProtected("/home/u/.CODEX/x", { ...PLACE, ignoreCase: false })).toBe(false);
    expect(isProtected("/home/u/.CODEX/x", PLACE)).toBe(false);
  });

  it.each([
    ["a", ["a"]],
    ["--out=/a", ["--out=/a", "/a"]],
    ["-o/a", ["-o/a", "/a"]],
    ["-o~/a", ["-o~/a", "~/a"]],
    ["-o$HOME", ["-o$HOME", "$HOME"]],
    ["-oa", ["-oa"]],
    ["--o/a", ["--o/a"]],
    ["of=/a=b", ["of=/a=b", "/a=b"]],
  ])("[AE-04] may stand inside an argument: %s", (argument, expected) => {
    expect(pathsInArgument(argument)).toEqual(expected);
  });
});

describe("a command that names a protected path", () => {
  it.each([
    "cp a PATH/x",
    "cp -t PATH a",
    "cp --target-directory=PATH a",
    "install a PATH/x",
    "install -t PATH a",
    "ln -s a PATH/x",
    "ln -t PATH a",
    "rsync a PATH/",
    "rsync --log-file=PATH/x a b",
    "scp a PATH/x",
    "curl -o PATH/x u",
    "curl --output PATH/x u",
    "curl --output-dir PATH -O u",
    "curl -c PATH/x u",
    "curl --cookie-jar PATH/x u",
    "curl -D PATH/x u",
    "curl --dump-header PATH/x u",
    "curl --trace PATH/x u",
    "wget -O PATH/x u",
    "wget --output-document=PATH/x u",
    "wget -P PATH u",
    "wget --directory-prefix=PATH u",
    "wget -o PATH/x u",
    "wget --output-file=PATH/x u",
    "tar -xf a -C PATH",
    "tar --directory=PATH -xf a",
    "tar -cf PATH/a b",
    "unzip a -d PATH",
    "7z x a -oPATH",
    "zip PATH/a b",
    "dd if=a of=PATH/x",
    "mv a PATH/x",
    "mv PATH/x a",
    "vim PATH/x",
    "sed -i s/a/b/ PATH/x",
    "tee PATH/x",
    "echo a > PATH/x",
    "echo a >> PATH/x",
    "chmod 600 PATH/x",
    "echo a &> PATH/x",
    "echo a &>> PATH/x",
    "echo a >| PATH/x",
    "echo a <> PATH/x",
    "echo a >& PATH/x",
    "echo a 2> PATH/x",
    "echo a > $PWD/..PATH/x",
    "frob --out=PATH/x",
    "frob -oPATH/x",
    "cd PATH && touch x",
    "pushd PATH; touch x",
    "git -C PATH commit -m x",
    `python -c 'open("PATH/x","w").write("a")'`,
    "docker run -v PATH:/h i",
    "docker run -vPATH:/h i",
    "docker run --volume=PATH:/h i",
    "podman run --mount type=bind,src=PATH,dst=/h i",
    "podman run --mount type=bind,source=PATH,dst=/h i",
    "cp --target-directory PATH a",
    "curl -oPATH/x u",
    "wget -PPATH u",
    "tar cf PATH/a b",
    "tar -uf PATH/a b",
    "tar rf PATH/a b",
    "cd PATH && tar xf a",
    "cd PATH && unzip a",
    "cd PATH && curl -O u",
    "cd PATH && wget u",
    "dd of=PATH/x if=a",
    "zip -r PATH/a b",
    "rsync -a b a PATH",
    "frob -x PATH",
  ])("[AE-02, AE-04] is held where it writes there: %s", (command) => {
    expect(run(command.replace("PATH", "/home/u/.codex"))).toBe("config-change");
    expect(run(command.replace("PATH", "/home/u/other"))).toBe("passes");
  });

  it.each([
    "cp PATH/x a",
    "ln -s PATH/x a",
    "rsync PATH/ a",
    "scp PATH/x h:",
    "curl -T PATH/x u",
    "tar -cf a PATH",
    "unzip PATH/a",
    "zip a PATH/x",
    "dd if=PATH/x of=a",
    "cat PATH/x",
    "diff PATH/x a",
    "vimdiff PATH/x a",
    "less PATH/x",
    "more PATH/x",
    "sed s/a/b/ PATH/x",
    "ls PATH",
    "cd PATH; ls",
    "cd PATH; ls >&2",
    "cd PATH; ls 2>&1",
    "cd PATH; ls 2>&-",
    "cd PATH; ls >&12",
    "cat < PATH/x",
    "(cd PATH); touch x",
    "docker run -v PATH:/h:ro i",
    "docker run --mount type=bind,src=PATH,dst=/h,readonly i",
    "docker cp PATH/x c:/y",
    "docker build -f PATH/x .",
    "dd if=PATH/of=x",
    "zip a -x PATH/b",
    "tar xf PATH/a",
    "tar -tf PATH/a",
    "curl -d @PATH/x u",
    "wget --post-file=PATH/x u",
    "7z a x PATH",
    "unzip -l PATH/a",
    "cp -r PATH a",
    "install PATH/x a",
    "cat PATH/x > a",
    "grep -r x PATH",
  ])("[AE-06] passes where it only reads there: %s", (command) => {
    expect(run(command.replace("PATH", "/home/u/.codex"))).toBe("passes");
  });
});
