import { expect, it } from "vitest";
import { boundSockets, type SocketFacts, SOCKETS_MAX, TooManySockets } from "./bound-sockets.ts";

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
  const foldersOf: SocketFacts["foldersOf"] = (inodes) => {
    asked.push([...inodes]);
    return ["/srv/app", "/elsewhere"];
  };
  const isSocket = (path: string): boolean => path === "/srv/app/run/app.sock";
  expect(boundSockets(machine([row(7, "run/app.sock"), row(8, "/a")], { foldersOf, isSocket }))).toEqual([
    "/a",
    "/srv/app/run/app.sock",
  ]);
  expect(asked).toEqual([["7"]]);
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
