import { describe, expect, it } from "vitest";
import { nextOf } from "./next-of.ts";
import { swipeOf } from "./swipe.ts";
import { commandItems, found, newestOfEach, type PaletteItem } from "./palette-items.ts";

const item = (group: PaletteItem["group"], label: string, hint = ""): PaletteItem => ({
  group,
  id: label,
  label,
  hint,
  icon: "plan",
  run: () => undefined,
});

describe("a swipe", () => {
  const swipe = (x: number, y: number, atMs: number) => swipeOf({ x: 200, y: 300, atMs: 0 }, { x, y, atMs });

  it("[UI-15] to the left leads on, to the right back, and scrolling or a slow finger nowhere", () => {
    expect([swipe(80, 310, 200), swipe(330, 290, 200)]).toEqual([1, -1]);
    expect([swipe(80, 400, 200), swipe(170, 300, 200), swipe(80, 310, 900)]).toEqual([undefined, undefined, undefined]);
  });

  it("[UI-15] goes round among what waits, from wherever one is", () => {
    const waiting = ["a", "b", "c"].map((id) => ({ id }));
    const ids = ([here, step]: [string | undefined, 1 | -1]) => nextOf(waiting, here, step)?.id;
    expect([ids(["a", 1]), ids(["c", 1]), ids(["a", -1]), ids([undefined, 1]), ids([undefined, -1])]).toEqual([
      "b",
      "a",
      "c",
      "a",
      "c",
    ]);
    expect(nextOf([], "a")).toBeUndefined();
  });
});

describe("the palette", () => {
  it("[UI-15] finds every word anywhere, what begins with it first, and keeps the groups in their order", () => {
    const items = [
      item("plans", "Repaint the shed"),
      item("plans", "Shed: a new roof"),
      item("sessions", "The shed", "blue"),
    ];
    expect(found(items, "SHED").map(({ label }) => label)).toEqual([
      "The shed",
      "Shed: a new roof",
      "Repaint the shed",
    ]);
    expect(found(items, "shed blue").map(({ label }) => label)).toEqual(["The shed"]);
    expect(found(items, "fence")).toEqual([]);
  });

  it("[UI-15] no group pushes another out", () => {
    const many = Array.from({ length: 40 }, (_, n) => item("sessions", `Session ${n}`));
    const shown = found([...many, item("settings", "Session retention")], "session");
    expect([shown.length, shown.at(-1)?.group]).toEqual([7, "settings"]);
  });

  it("[UI-15] offers commands with what a person may do, and never those that would be refused", () => {
    const used: string[] = [];
    const scopes = { requiredScopes: [] };
    const command = {
      name: "plan",
      description: "Plans",
      usage: [],
      pluginId: "plan-mode",
      allowed: true,
      acceptsArgs: true,
      ...scopes,
      subcommands: [
        { name: "status", description: "Where things stand", allowed: true, ...scopes },
        { name: "accept", description: "Approve", allowed: false, ...scopes },
      ],
    };
    const items = commandItems(command, (line) => void used.push(line));
    items.at(-1)?.run();
    expect([items.map(({ label }) => label), used]).toEqual([["/plan", "/plan status"], ["/plan status "]]);
  });

  it("[UI-15] lists a plan once, by its newest revision", () => {
    const plans = [
      { cycleId: "a", revision: 2 },
      { cycleId: "b", revision: 1 },
      { cycleId: "a", revision: 1 },
    ] as never[];
    expect(newestOfEach(plans)).toEqual([plans[0], plans[1]]);
  });
});
