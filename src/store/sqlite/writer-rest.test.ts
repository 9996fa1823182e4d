import { expect, it } from "vitest";
import { createWriterRest } from "./writer-rest.ts";

it("[QA-07] the writer's thread moves its log once after each burst, and collects once, never between writes", () => {
  const done: string[] = [];
  const rest = createWriterRest({ moveLog: () => void done.push("log"), collect: () => void done.push("memory") });
  const looks = (count: number): string[] => {
    for (let n = 0; n < count; n++) rest.look();
    return done.splice(0);
  };
  for (let n = 0; n < 5; n++) {
    rest.wrote();
    expect(looks(1)).toEqual([]);
  }
  expect(looks(1)).toEqual(["log", "memory"]);
  expect(looks(5)).toEqual([]);
  rest.wrote();
  expect(looks(5)).toEqual(["log"]);
});

it("[QA-07] a thread that has nothing to write gives back what loading left, and moves no log", () => {
  const done: string[] = [];
  const rest = createWriterRest({ moveLog: () => void done.push("log"), collect: () => void done.push("memory") });
  for (let n = 0; n < 5; n++) rest.look();
  expect(done).toEqual(["memory"]);
});
