import { afterAll, expect, it } from "vitest";
import { z } from "zod";
import { cellWorld } from "../../../test/kit/cells.ts";
import { KNOWN_DIFFERENCES, PROMISE_RULES } from "../../../test/kit/promise-rules.ts";

const world = cellWorld();
afterAll(() => world.sandbox.stop());

/** Every rule after the other, each with a log of its own; what a rule throws is logged by its name. */
const PROGRAM = `const logs = {};
${Object.entries(PROMISE_RULES)
  .map(
    ([rule, body]) => `await (async () => {
  const said = logs[${JSON.stringify(rule)}] = [];
  const log = (...values) => void said.push(JSON.stringify(values));
  try { ${body} } catch (error) { log("it threw", error?.name ?? error); }
})();`,
  )
  .join("\n")}
return logs;`;
const Logs = z.record(z.string(), z.array(z.string()));

type Program = () => Promise<unknown>;
const AsyncFunction = (async () => undefined).constructor as new (code: string) => Program;

it("[CM-06] 121: promises in a cell do what they do in Node, for each rule of the language", async () => {
  const inNode = Logs.parse(await new AsyncFunction(PROGRAM)());
  const inCell = Logs.parse(await world.value(PROGRAM, { timeoutMs: 60_000 }));
  expect(Object.keys(inNode)).toEqual(Object.keys(PROMISE_RULES));
  expect(
    Object.values(inNode).filter((said) => said.length === 0 || said.some((line) => line.includes("it threw"))),
  ).toEqual([]);
  expect(inCell).toEqual(inNode);
});

it.each(KNOWN_DIFFERENCES)("[CM-06] 121: the engine differs in that $about", async ({ program, inNode, inCell }) => {
  expect([await new AsyncFunction(program)(), await world.value(program)]).toEqual([inNode, inCell]);
});
