/** Which of what waits a person has opened, in this browser. A new revision has another id, so it is unread again. */
import { cell, type Readable } from "../state/cell.ts";

const STORED_AS = "holdpoint.read";
/** Older marks are of what was decided long ago. */
const MARKS_MAX = 500;

const read = cell<ReadonlySet<string>>(new Set(stored()));

export const readMarks: Readable<ReadonlySet<string>> & { mark(ids: readonly string[], isRead: boolean): void } = {
  get: read.get,
  subscribe: read.subscribe,
  mark(ids, isRead) {
    const now = read.get();
    if (ids.every((id) => now.has(id) === isRead)) return;
    const others = [...now].filter((id) => !ids.includes(id));
    const next = isRead ? [...others, ...ids].slice(-MARKS_MAX) : others;
    read.set(new Set(next));
    keep(next);
  },
};

function stored(): string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(STORED_AS) ?? "[]");
    return Array.isArray(value) ? value.filter((id) => typeof id === "string").slice(-MARKS_MAX) : [];
  } catch {
    return []; // written by something else: nothing is read yet
  }
}

function keep(ids: readonly string[]): void {
  try {
    localStorage.setItem(STORED_AS, JSON.stringify(ids));
  } catch {
    // the browser's store is full: the marks last as long as the tab
  }
}
