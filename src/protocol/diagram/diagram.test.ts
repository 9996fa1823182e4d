import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { drawDiagram } from "./diagram.ts";
import { type SvgShape, svgText } from "./svg-tree.ts";

const esc = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const all = (node: SvgShape | string): SvgShape[] =>
  typeof node === "string" ? [] : [node, ...node.inside.flatMap(all)];
const wordsIn = (node: SvgShape): string[] =>
  all(node)
    .filter(({ tag }) => tag === "text")
    .flatMap(({ inside }) => inside.filter((part) => typeof part === "string"));
const boxes = (node: SvgShape): { x: number; y: number; width: number; height: number }[] =>
  all(node)
    .filter(({ tag, attrs }) => tag === "rect" && attrs["class"] === undefined)
    .map(({ attrs: { x, y, width, height } }) => ({
      x: Number(x),
      y: Number(y),
      width: Number(width),
      height: Number(height),
    }));

function sourcesIn(name: string): string[] {
  const plan = readFileSync(new URL(`../../../test/corpora/plans/${name}.json`, import.meta.url), "utf8");
  const { analysis = "" } = JSON.parse(plan) as { analysis?: string };
  return [...analysis.matchAll(/```mermaid\n([\s\S]*?)\n```/g)].map(([, source = ""]) => source);
}

function drawn(source: string): SvgShape {
  const found = drawDiagram(source);
  if (found === undefined) throw new Error(`not drawn: ${source}`);
  return found;
}

/** Nothing is lost on the way: everything that the drawing says has a place inside of it. */
function expectInside(svg: SvgShape): void {
  const [left = 0, top = 0, width = 0, height = 0] = String(svg.attrs["viewBox"]).split(" ").map(Number);
  for (const { tag, attrs } of all(svg)) {
    if (tag !== "rect" && tag !== "text") continue;
    const [x, y] = [Number(attrs["x"]), Number(attrs["y"])];
    expect([x >= left - 1, y >= top - 1]).toEqual([true, true]);
    expect([x + Number(attrs["width"] ?? 0) <= left + width + 1, y <= top + height]).toEqual([true, true]);
  }
}

describe("a diagram of a plan", () => {
  it.each([
    ["01-payments-migration", ["Renewal worker", "Gateway router", "alt", "1. charge(subscription, period)"]],
    ["04-monorepo-refactor", ["apps", "features", "domain", "storefront", "returns", "pricing"]],
  ])("[UI-14] %s: what it says stands in the drawing", (name, words) => {
    const [source = ""] = sourcesIn(name);
    const svg = drawn(source);
    expect(wordsIn(svg)).toEqual(expect.arrayContaining(words));
    expectInside(svg);
  });

  it("[UI-14] puts each box behind what leads to it, and none over another", () => {
    const svg = drawn(
      "flowchart LR\n  A[One] --> B{Two?}\n  B -->|yes| C(Three)\n  B -- no --> D[(Four)]\n  C & D --> E\n  E --> A",
    );
    expect(wordsIn(svg)).toEqual(expect.arrayContaining(["One", "Two?", "yes", "no", "Three", "Four", "E"]));
    const placed = boxes(svg);
    for (const [index, a] of placed.entries()) {
      for (const b of placed.slice(index + 1)) {
        const isApart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
        expect(isApart).toBe(true);
      }
    }
    expectInside(svg);
  });

  it("[UI-14] draws states, with their beginning and end", () => {
    const svg = drawn(
      'stateDiagram-v2\n  [*] --> Idle\n  Idle --> Running : start\n  state "All done" as Done\n  Running --> Done\n  Done --> [*]\n  state Running {\n    [*] --> Warm\n  }',
    );
    expect(wordsIn(svg)).toEqual(expect.arrayContaining(["Idle", "Running", "start", "All done", "Warm"]));
    expect(all(svg).filter(({ attrs }) => attrs["class"] === "dot")).toHaveLength(3);
  });

  it.each([
    'pie title Pets\n  "Dogs" : 386',
    "gantt\n  title A plan",
    "flowchart LR\n  A --> ",
    "flowchart LR\n  A[never closed --> B",
    "sequenceDiagram\n  alt forever\n  A->>B: hi",
    "",
    "```",
  ])("[UI-14] stays the text that it is where it is not understood: %j", (source) => {
    expect(drawDiagram(source)).toBeUndefined();
  });

  it("[UI-08] [UI-14] says hostile words as words, and writes no style and no address", () => {
    const bad = `<script>alert(1)</script>" onload="x`;
    for (const source of [
      `flowchart TD\n  A["${bad.replaceAll('"', "'")}"] --> B`,
      `sequenceDiagram\n  participant A as ${bad}\n  A->>A: ${bad}\n  Note over A: ${bad}`,
    ]) {
      const text = svgText(drawn(source), esc);
      expect(text).not.toMatch(/<script|style=|href|url\(|<[^>]*\sonload=/);
      expect(text).toContain("&lt;script&gt;");
    }
  });

  it("[UI-14] comes to an end with hostile sources", () => {
    const circle = Array.from({ length: 140 }, (_, n) => `n${n} --> n${(n * 7 + 1) % 140}`).join("\n");
    expect(drawDiagram(`flowchart TD\n${circle}`)).toBeDefined();
    expect(drawDiagram(`flowchart TD\n${"a --> ".repeat(1_900)}a`)).toBeUndefined();
    expect(drawDiagram(`sequenceDiagram\n${"A->>B: x\n".repeat(900)}`)).toBeUndefined();
  });
});
