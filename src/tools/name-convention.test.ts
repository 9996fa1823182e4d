import { describe, expect, it } from "vitest";
import { effectByName } from "./name-convention.ts";

describe("a name as a classification", () => {
  it.each([
    "notes.read",
    "notes.search",
    "notes.list",
    "notes.get",
    "notes.view",
    "notes_read",
    "notes-list",
    "notesGet",
    "NOTES.READ",
    "Notes.View",
    "HTTPGet",
    "mcp__x__issues_list",
  ])("[GA-04] %s reads", (name) => {
    expect(effectByName(name)).toBe("read");
  });

  it.each(["notes.write", "notes.edit", "notes.delete", "notes_delete", "notesEdit", "NOTES-WRITE"])(
    "[GA-04] %s writes",
    (name) => {
      expect(effectByName(name)).toBe("write");
    },
  );

  it.each(["drafts.delete.list", "edit_view", "writeGet"])("[GA-04] %s writes, however it ends", (name) => {
    expect(effectByName(name)).toBe("write");
  });

  it.each([
    "frobnicate",
    "read",
    "delete",
    ".read",
    "unread",
    "notes.unread",
    "thread",
    "SPREAD",
    "get_user",
    "notes.list!",
    "notes.réad",
    "notes․read", // a look-alike of the dot
    "notes.read ",
    "",
    "...",
  ])("[GA-04] %j says nothing", (name) => {
    expect(effectByName(name)).toBe("unknown");
  });
});
