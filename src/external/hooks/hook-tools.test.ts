import { expect, it } from "vitest";
import type { JsonObject } from "../../protocol/json.ts";
import { toolMeaning } from "./hook-tools.ts";

const meaning = (name: string, input: JsonObject) => toolMeaning({ name, input, cwd: "/w" });

it("[IG-03] words of a command that comes as a list stay apart", () => {
  expect(meaning("shell", { command: ["bash", "-lc", "echo 'hi' > x"] })).toEqual({
    kind: "call",
    tool: "exec",
    args: { command: String.raw`'bash' '-lc' 'echo '\''hi'\'' > x'`, cwd: "/w" },
  });
});

it("[IG-03] what cannot be read is no call, and what nobody knows keeps its name", () => {
  expect([meaning("Bash", {}), meaning("Write", { content: "x" }), meaning("apply_patch", {})]).toEqual(
    Array.from({ length: 3 }, () => ({ kind: "unreadable" })),
  );
  expect(meaning("Workflow", { a: 1 })).toEqual({ kind: "call", tool: "Workflow", args: { a: 1 } });
});

it("[IG-03] two long files that begin alike are two calls", () => {
  const [one, two] = ["a", "b"].map((end) =>
    meaning("Write", { file_path: "f", content: `${"x".repeat(9_000)}${end}` }),
  );
  expect(one).toMatchObject({ args: { path: "/w/f", about: { digest: expect.any(String) } } });
  expect(one).not.toEqual(two);
});
