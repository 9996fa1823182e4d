import { expect, it } from "vitest";
import { heldBack } from "./held-back.ts";

function world({ first }: { first?: string } = { first: "box: " }) {
  const seen: string[] = [];
  const output = heldBack(first, (chunk, stream) => {
    seen.push(`${stream} ${chunk.toString()}`);
    return "more";
  });
  return { seen, say: (text: string, stream: "out" | "err" = "err") => output.push(Buffer.from(text), stream), output };
}

it("[GA-13] holds back one line of a sandbox, in however many pieces it comes, until it is let go", () => {
  const { seen, say, output } = world();
  for (const piece of ["bo", "x: can", "not be built", "\n"]) say(piece);
  expect(seen).toEqual([]);
  output.release();
  expect(seen.join("")).toBe("err boerr x: canerr not be builterr \n");
});

it("[GA-13] passes on at once what begins otherwise, and everything after the first line, in its order", () => {
  const one = world();
  one.say("x: ");
  one.say("box: later\n");
  expect(one.seen).toEqual(["err x: ", "err box: later\n"]);
  const two = world();
  two.say("box: a line\n");
  two.say("and another\n");
  two.say("out", "out");
  expect(two.seen).toEqual(["err box: a line\n", "err and another\n", "out out"]);
  const three = world({});
  three.say("box: a line\n");
  expect(three.seen).toEqual(["err box: a line\n"]);
});
