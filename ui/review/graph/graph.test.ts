import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { declaredOrder } from "./declared-order.ts";
import { drawnEdges, layoutOf } from "./graph-layout.ts";

const steps = (...texts: string[]) => texts.map((step) => ({ step }));

const PAIR = [
  { from: 1, to: 4 },
  { from: 3, to: 4 },
];

describe("the order that a plan declares", () => {
  it.each([
    ["Deploy after step 1", [{ from: 1, to: 4 }]],
    [
      "Deploy (depends on steps 1 and 3)",
      [
        { from: 1, to: 4 },
        { from: 3, to: 4 },
      ],
    ],
    ["Depends on 2.", [{ from: 2, to: 4 }]],
    [
      "Once step #2, step 3 are done",
      [
        { from: 2, to: 4 },
        { from: 3, to: 4 },
      ],
    ],
    [
      "Requires steps 1-3",
      [
        { from: 1, to: 4 },
        { from: 2, to: 4 },
        { from: 3, to: 4 },
      ],
    ],
    ["Wait after 2 minutes and try 3 times", []],
    ["Depends on 3 services", []],
    ["After step 9, and after step 4", []],
    ["Step 2: as the agent counted it", []],
    ["(2) Second part", []],
    ["Fix issue #2 in 3 files", []],
    ["Do it in 3 steps", []],
    ["Step 2 took 3 hours", [{ from: 2, to: 4 }]],
    ["Deploy (#1, #3)", PAIR],
    ["Nach Schritt 1 und 3 ausrollen", PAIR],
    ["Desplegar tras los pasos 1 y 3", PAIR],
    ["Déployer après les étapes 1 et 3", PAIR],
    ["Implantar depois das etapas 1 e 3", PAIR],
    ["Rilis setelah langkah 1 dan 3", PAIR],
    ["手順1と3の後にデプロイする", PAIR],
    ["ステップ1、ステップ3の後に公開", PAIR],
    ["1단계와 3단계 이후 배포", PAIR],
    ["단계 1 및 3 이후 배포", PAIR],
    ["在第1步和第3步之后部署", PAIR],
    ["在步驟 1、3 之後部署", PAIR],
    ["Wdróż po krokach 1 i 3", PAIR],
    ["Adım 1 ve 3 tamamlanınca yayımla", PAIR],
    ["1. ve 3. adımdan sonra yayımla", PAIR],
    ["Розгорнути після кроків 1 та 3", PAIR],
    ["Nach den Schritten 1 bis 3", [1, 2, 3].map((from) => ({ from, to: 4 }))],
  ])("[UI-05] %s", (text, order) => {
    expect(declaredOrder(steps("a", "b", "c", text))).toEqual(order);
  });
});

it("[UI-05] a step that names a later one does not come after it, unless it says so", () => {
  expect(declaredOrder(steps("Prepare step 2", "Build", "Test"))).toEqual([]);
  expect(declaredOrder(steps("After step 2", "Build", "Test"))).toEqual([{ from: 2, to: 1 }]);
});

describe("the drawing of it", () => {
  it("[UI-05] puts each step behind the last that it comes after", () => {
    const layout = layoutOf([
      { from: 1, to: 2 },
      { from: 1, to: 3 },
      { from: 2, to: 5 },
      { from: 3, to: 5 },
    ]);
    expect(layout?.nodes).toEqual([
      { step: 1, column: 0, row: 0 },
      { step: 2, column: 1, row: 0 },
      { step: 3, column: 1, row: 1 },
      { step: 5, column: 2, row: 0 },
    ]);
    expect([layout?.columns, layout?.rows]).toEqual([3, 2]);
  });

  it("[UI-05] shows a circle as one, and ends", () => {
    const layout = layoutOf([
      { from: 1, to: 2 },
      { from: 2, to: 3 },
      { from: 3, to: 1 },
    ]);
    expect(layout?.edges.map(({ isCircular }) => isCircular)).toEqual([false, false, true]);
    expect(layout?.columns).toBe(3);
  });

  it("[UI-05] draws no line that a longer way says as well", () => {
    const layout = layoutOf([
      { from: 1, to: 2 },
      { from: 1, to: 3 },
      { from: 2, to: 3 },
    ]);
    expect(drawnEdges(layout?.edges ?? []).map(({ from, to }) => [from, to])).toEqual([
      [1, 2],
      [2, 3],
    ]);
  });

  it("[UI-05] is none where nothing is declared", () => {
    expect(layoutOf([])).toBeUndefined();
  });

  it("[UI-05] holds a realistic plan whose seventy steps are all linked", () => {
    const body = JSON.parse(
      readFileSync(new URL("../../../test/corpora/plans/04-monorepo-refactor.json", import.meta.url), "utf8"),
    ) as { plan: { step: string }[] };
    const layout = layoutOf(declaredOrder(body.plan));
    expect(layout?.nodes).toHaveLength(70);
    const places = new Set(layout?.nodes.map(({ column, row }) => `${column}.${row}`));
    expect(places.size).toBe(70);
    expect(drawnEdges(layout?.edges ?? []).length).toBeLessThanOrEqual(layout?.edges.length ?? 0);
  });

  it("[UI-05] ends on five hundred steps that all name the one before", () => {
    const orders = Array.from({ length: 499 }, (_, n) => ({ from: n + 1, to: n + 2 }));
    expect(drawnEdges(layoutOf(orders)?.edges ?? [])).toHaveLength(499);
  });
});
