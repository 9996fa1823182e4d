/** Arguments of calls as hostile programs write them. */
import { expect, it } from "vitest";
import { readArguments } from "./call-arguments.ts";

it("[CM-06] 48, 125: arguments that are nested too deeply, or no list, are refused before they are parsed", () => {
  expect(readArguments(`[${"[".repeat(5_000)}${"]".repeat(5_000)}]`)).toEqual({
    problem: "The arguments are nested too deeply.",
  });
  expect(readArguments('{"a":1}')).toEqual({ problem: "The arguments are no list." });
});

it.each(['[{"a":1,"__proto__":{"b":2}}]', String.raw`[{"a":1,"\u005f_proto__":{"b":2}}]`])(
  "[CM-06] 126: no own member of arguments can become a prototype where they are copied: %s",
  (text) => {
    const read = readArguments(text);
    const copied = Object.assign({}, "args" in read ? (read.args[0] as object) : {});
    expect([Object.keys(copied), "b" in copied]).toEqual([["a"], false]);
  },
);
