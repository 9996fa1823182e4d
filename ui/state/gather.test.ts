import { expect, it } from "vitest";
import { gather } from "./gather.ts";

it("[UI-01] hands the first on at once, and what follows quickly in one go, in order and whole", () => {
  const handed: number[][] = [];
  let nowMs = 0;
  const due: { work: () => void; atMs: number }[] = [];
  const timing = {
    now: () => nowMs,
    later: (work: () => void, delayMs: number) => void due.push({ work, atMs: nowMs + delayMs }),
  };
  const gathered = gather<number>((items) => void handed.push([...items]), 20, timing);
  gathered.add(1);
  expect(handed).toEqual([[1]]);
  nowMs = 5;
  for (const item of [2, 3, 4]) gathered.add(item);
  expect([handed.length, due.map(({ atMs }) => atMs)]).toEqual([1, [20]]);
  nowMs = 20;
  due[0]?.work();
  expect(handed).toEqual([[1], [2, 3, 4]]);
  nowMs = 100;
  gathered.add(5);
  gathered.add(6);
  expect(handed.at(-1)).toEqual([5]);
  gathered.flush();
  expect(handed.at(-1)).toEqual([6]);
  due[1]?.work(); // there is nothing left for it
  expect(handed).toHaveLength(4);
});
