import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/kit/turn-world.ts";
import { CycleId, PlanId, SessionId } from "../../protocol/ids.ts";
import { endUnits, type Mirrored, mirrorUnit } from "./mirror-unit.ts";
import { lostBecause, readUnits } from "./unit-folder.ts";

const mirrored = (more: Partial<Mirrored["unit"]> = {}): Mirrored => ({
  unit: {
    version: 1,
    planId: PlanId.parse("pln_1"),
    sessionId: SessionId.parse("ses_1"),
    cycleId: CycleId.parse("cyc_1"),
    revision: 1,
    digest: "d1",
    title: "Move the Päyments!",
    status: "executing",
    approvedBy: { kind: "operator", id: "opr_a", name: "Alice" },
    approvedAtMs: 1,
    updatedAtMs: 2,
    steps: [{ step: "Move", status: "in_progress" }],
    ...more,
  },
  text: "# Move\n",
});
const placeIn = (workspace: string, tracked = false) => ({ workspace, isTracked: async () => tracked });
const workIn = (workspace: string): string => join(workspace, ".holdpoint", "work");
const whyLost = (work: Promise<unknown>): Promise<string> => work.then(() => "written", lostBecause);

describe("the mirror of a plan", () => {
  it("[ST-04] holds the plan and its state, is rewritten in place, is ignored by git, and can be read back", async () => {
    const workspace = temporaryFolder();
    expect(await mirrorUnit(mirrored(), placeIn(workspace))).toBe("move-the-payments");
    const own = join(workIn(workspace), "move-the-payments");
    expect(readFileSync(join(own, "plan.md"), "utf8")).toBe("# Move\n");
    expect(readFileSync(join(workIn(workspace), ".gitignore"), "utf8")).toBe("*\n");
    const done = mirrored({ steps: [{ step: "Move", status: "completed" }], updatedAtMs: 3 });
    expect(await mirrorUnit(done, placeIn(workspace))).toBe("move-the-payments");
    expect(await readUnits(workspace)).toEqual([{ ...done.unit, unit: "move-the-payments" }]);
    await endUnits({ sessionId: "ses_1", status: "left", atMs: 9 }, placeIn(workspace));
    expect(await readUnits(workspace)).toMatchObject([{ status: "left", updatedAtMs: 9, steps: done.unit.steps }]);
    expect(existsSync(join(workIn(workspace), ".lock"))).toBe(false);
  });

  it("[ST-04] never takes the folder of another session or of somebody else", async () => {
    const workspace = temporaryFolder();
    mkdirSync(join(workIn(workspace), "move-the-payments-2"), { recursive: true });
    writeFileSync(join(workIn(workspace), "move-the-payments-2", "mine.txt"), "mine");
    const other = mirrored({ sessionId: SessionId.parse("ses_2"), planId: PlanId.parse("pln_2") });
    const names = await Promise.all([mirrored(), other].map((one) => mirrorUnit(one, placeIn(workspace))));
    expect(names.toSorted()).toEqual(["move-the-payments", "move-the-payments-3"]);
    expect((await readUnits(workspace)).map(({ sessionId }) => sessionId).toSorted()).toEqual(["ses_1", "ses_2"]);
  });

  it.each([
    [".holdpoint", [".holdpoint"]],
    ["work", [".holdpoint", "work"]],
    ["the unit", [".holdpoint", "work", "move-the-payments"]],
  ])("[ST-04] writes through no link: %s", async (_what, parts) => {
    const [workspace, elsewhere] = [temporaryFolder(), temporaryFolder()];
    mkdirSync(join(workspace, ...parts.slice(0, -1)), { recursive: true });
    symlinkSync(elsewhere, join(workspace, ...parts));
    const lost = await whyLost(mirrorUnit(mirrored(), placeIn(workspace)));
    // a unit whose name is taken by a link gets another name
    expect(lost).toBe(parts.length === 3 ? "written" : "refused");
    expect(existsSync(join(elsewhere, "plan.md")) || existsSync(join(elsewhere, "work"))).toBe(false);
  });

  it("[ST-04] replaces no link that stands in place of one of its files", async () => {
    const [workspace, elsewhere] = [temporaryFolder(), temporaryFolder()];
    await mirrorUnit(mirrored(), placeIn(workspace));
    const plan = join(workIn(workspace), "move-the-payments", "plan.md");
    const { rmSync } = await import("node:fs");
    rmSync(plan);
    writeFileSync(join(elsewhere, "secret"), "kept");
    symlinkSync(join(elsewhere, "secret"), plan);
    expect(await whyLost(mirrorUnit(mirrored(), placeIn(workspace)))).toBe("refused");
    expect(readFileSync(join(elsewhere, "secret"), "utf8")).toBe("kept");
  });

  it("[ST-04] makes nothing where git tracks files at that place", async () => {
    const workspace = temporaryFolder();
    expect(await whyLost(mirrorUnit(mirrored(), placeIn(workspace, true)))).toBe("tracked");
    expect(existsSync(join(workspace, ".holdpoint"))).toBe(false);
  });

  it("[ST-04] a lock that its owner left is taken over; one that is no file costs the mirror", async () => {
    const workspace = temporaryFolder();
    mkdirSync(workIn(workspace), { recursive: true });
    const lock = join(workIn(workspace), ".lock");
    writeFileSync(lock, "4194303-1-00000000-0000-0000-0000-000000000000");
    utimesSync(lock, 1, 1);
    expect(await whyLost(mirrorUnit(mirrored(), placeIn(workspace)))).toBe("written");
    mkdirSync(lock);
    expect(await whyLost(mirrorUnit(mirrored(), placeIn(workspace)))).toBe("busy");
  });

  it.skipIf(process.getuid?.() === 0)("[ST-04] a workspace that cannot be written costs the mirror alone", async () => {
    const workspace = temporaryFolder();
    chmodSync(workspace, 0o500);
    expect(await whyLost(mirrorUnit(mirrored(), placeIn(workspace)))).toBe("read_only");
    chmodSync(workspace, 0o700);
  });

  it("[ST-04] reads nothing through links, of the wrong shape or too large, and trusts no name inside", async () => {
    const [workspace, elsewhere] = [temporaryFolder(), temporaryFolder()];
    await mirrorUnit(mirrored(), placeIn(workspace));
    const state = (name: string, text: string): void => {
      mkdirSync(join(workIn(workspace), name), { recursive: true });
      writeFileSync(join(workIn(workspace), name, "state.json"), text);
    };
    state("broken", "{");
    state("large", " ".repeat(1_048_577));
    state("other", JSON.stringify({ ...mirrored().unit, unit: "move-the-payments" }));
    symlinkSync(join(workIn(workspace), "move-the-payments"), join(workIn(workspace), "linked"));
    expect((await readUnits(workspace)).map(({ unit }) => unit)).toEqual(["move-the-payments"]);
    symlinkSync(workIn(workspace), join(elsewhere, ".holdpoint"));
    expect(await readUnits(elsewhere)).toEqual([]);
  });
});
