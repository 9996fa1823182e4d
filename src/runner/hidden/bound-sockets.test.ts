import { expect, it } from "vitest";
import { boundSockets, createHolders, type SocketFacts, SOCKETS_MAX, TooManySockets } from "./bound-sockets.ts";

const row = (inode: number, name: string): string =>
  `ffff8881: 00000002 00000000 00010000 0001 01 ${String(inode).padStart(5)} ${name}`;

function machine(rows: readonly string[], more: Partial<SocketFacts> = {}): SocketFacts {
  const table = ["Num       RefCount Protocol Flags    Type St Inode Path", ...rows, ""].join("\n");
  const none = { foldersOf: () => [], isSocket: () => true, holdsOnlySockets: () => false };
  return { table: () => table, ...none, ...more };
}

it("[GA-13] finds sockets by the names that the system lists; what lies in /run is hidden with it", () => {
  const rows = [row(1, "/tmp/a b.sock"), row(1, "/tmp/a b.sock"), row(2, "/run/x"), row(3, "@abstract"), row(4, "")];
  expect(boundSockets(machine(rows))).toEqual(["/tmp/a b.sock"]);
  expect(boundSockets({ ...machine([]), table: () => undefined })).toEqual([]);
});

it("[GA-13] finds one that was bound by a name relative to the folder of its program", () => {
  const asked: string[][] = [];
  const foldersOf: SocketFacts["foldersOf"] = (sockets) => {
    asked.push(sockets.map(({ inode }) => inode));
    return ["/srv/app", "/elsewhere"];
  };
  const isSocket = (path: string): boolean => path === "/srv/app/run/app.sock";
  expect(boundSockets(machine([row(7, "run/app.sock"), row(8, "/a")], { foldersOf, isSocket }))).toEqual([
    "/a",
    "/srv/app/run/app.sock",
  ]);
  expect(asked).toEqual([["7"]]);
});

/** Processes with the folder that each works in and the sockets that it holds; `looks` counts how often all were looked at. */
function processTable(works: Map<string, { folder: string; holds: readonly string[] }>, files: Set<string>) {
  let looks = 0;
  const foldersOf = createHolders({
    processes() {
      looks += 1;
      return [...works.keys()];
    },
    held: (pid, inodes) => (works.get(pid)?.holds ?? []).filter((inode) => inodes.has(inode)),
    workingFolder: (pid) => works.get(pid)?.folder,
    isSocket: (path) => files.has(path),
  });
  return { foldersOf, looks: () => looks };
}

it("[GA-13] does not look at every process again for a socket that was found, and keeps it hidden when its program goes elsewhere", () => {
  const works = new Map([
    ["10", { folder: "/srv/app", holds: ["7"] }],
    ["11", { folder: "/home", holds: [] }],
  ]);
  const { foldersOf, looks } = processTable(works, new Set(["/srv/app/a.sock"]));
  const bound = [{ inode: "7", name: "a.sock" }];
  expect([foldersOf(bound), foldersOf(bound), looks()]).toEqual([["/srv/app"], ["/srv/app"], 1]);
  works.set("10", { folder: "/", holds: ["7"] });
  expect([foldersOf(bound), looks()]).toEqual([["/srv/app", "/"], 1]);
});

it("[GA-13] finds the socket of a program that came between two commands, also under a number and a name that were there before", () => {
  const works = new Map([["10", { folder: "/srv/app", holds: ["7"] }]]);
  const files = new Set(["/srv/app/a.sock", "/srv/new/b.sock", "/srv/third/a.sock"]);
  const { foldersOf } = processTable(works, files);
  const first = { inode: "7", name: "a.sock" };
  foldersOf([first]);
  works.set("12", { folder: "/srv/new", holds: ["8"] });
  expect(foldersOf([first, { inode: "8", name: "b.sock" }])).toEqual(["/srv/app", "/srv/new"]);
  foldersOf([]); // both have ended
  works.clear();
  works.set("13", { folder: "/srv/third", holds: ["7"] });
  expect(foldersOf([first])).toEqual(["/srv/third"]);
});

it("[GA-13] looks at every process at each command while a socket is not found", () => {
  const works = new Map([["10", { folder: "/", holds: ["7"] }]]);
  const files = new Set(["/srv/app/a.sock"]);
  const { foldersOf } = processTable(works, files);
  const bound = [{ inode: "7", name: "a.sock" }];
  expect(foldersOf(bound)).toEqual(["/"]);
  works.set("14", { folder: "/srv/app", holds: ["7"] }); // a child of it goes back to where the socket is
  expect(foldersOf(bound)).toEqual(["/", "/srv/app"]);
  files.clear(); // its file was removed: nothing is known of it any more
  works.delete("14");
  expect(foldersOf(bound)).toEqual(["/"]);
});

it("[GA-13] hides the folder that holds nothing but sockets, for those that come later", () => {
  const holdsOnlySockets = (folder: string): boolean => folder === "/tmp/tmux-0";
  const rows = [row(1, "/tmp/tmux-0/default"), row(2, "/tmp/tmux-0/other"), row(3, "/tmp/x")];
  expect(boundSockets(machine(rows, { holdsOnlySockets }))).toEqual(["/tmp/tmux-0", "/tmp/x"]);
});

it("[GA-13] starts nothing where there are more than can be hidden", () => {
  const rows = Array.from({ length: SOCKETS_MAX + 1 }, (_none, at) => row(at, `/tmp/${at}`));
  expect(() => boundSockets(machine(rows))).toThrow(TooManySockets);
  expect(boundSockets(machine(rows.slice(1)))).toHaveLength(SOCKETS_MAX);
});
