import { describe, expect, it } from "vitest";
import { against, figure } from "../../bench/figure.ts";
import { TABLES } from "../../bench/table.ts";

const beside = against(4185, figure("durable patch", 9505, "/s"));
const alone = figure("first load | page", 57.6, "KiB");

describe("figures of the benchmark", () => {
  it("[QA-04] stand beside the reference of the same run, with their ratio", () => {
    const { row } = TABLES.columns;
    expect(row(beside).split(/ {2,}/)).toEqual(["durable patch", "9505", "/s", "4185", "× 2.271"]);
    expect(row(alone).trim().split(/ {2,}/)).toEqual(["first load | page", "57.6", "KiB"]);
  });

  it("[QA-04] make the table of the README", () => {
    const { head, row } = TABLES.markdown;
    expect([...head, row(beside), row(alone)]).toEqual([
      "| figure | seen | reference in the same run | ratio |",
      "| --- | --- | --- | --- |",
      "| durable patch | 9,505 /s | 4,185 /s | × 2.271 |",
      "| first load \\| page | 57.6 KiB | – | – |",
    ]);
  });
});
