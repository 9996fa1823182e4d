import { Dirent } from "node:fs";
import { expect, it } from "vitest";
import { createFolderLook, type FolderFacts } from "./folder-look.ts";

const entry = (name: string): Dirent => Object.assign(Object.create(Dirent.prototype) as Dirent, { name });

/** A folder that is changed by hand, and a clock that stands still. */
function folder() {
  const state = { names: ["a"], changedAtMs: 0, nowMs: 10_000, lists: 0, isThere: true, ino: 1 };
  const facts: FolderFacts = {
    mark: () =>
      state.isThere ? { dev: 1n, ino: BigInt(state.ino), ctimeNs: BigInt(state.changedAtMs) * 1_000_000n } : undefined,
    entries() {
      state.lists += 1;
      return state.names.map(entry);
    },
    nowMs: () => state.nowMs,
  };
  const look = createFolderLook((entries) => entries.map(({ name }) => name), facts);
  return { state, look: () => look("/x") };
}

it("[GA-13] lists a folder again when it was changed, is another one, or is gone", () => {
  const { state, look } = folder();
  expect([look(), look(), state.lists]).toEqual([["a"], ["a"], 1]);
  Object.assign(state, { names: ["a", "b"], changedAtMs: 5_000 });
  expect([look(), look(), state.lists]).toEqual([["a", "b"], ["a", "b"], 2]);
  Object.assign(state, { names: [], ino: 2 });
  expect([look(), state.lists]).toEqual([[], 3]);
  state.isThere = false;
  expect([look(), state.lists]).toEqual([undefined, 3]);
});

it("[GA-13] does not trust a list that was made in the moment of a change: the next one may leave the same time", () => {
  const { state, look } = folder();
  Object.assign(state, { changedAtMs: 9_000 });
  expect(look()).toEqual(["a"]);
  state.names = ["a", "b"]; // within the same tick
  expect([look(), state.lists]).toEqual([["a", "b"], 2]);
  Object.assign(state, { nowMs: 20_000 });
  expect([look(), look(), state.lists]).toEqual([["a", "b"], ["a", "b"], 3]);
});
