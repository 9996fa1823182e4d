import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { calledTools } from "../../../test/kit/called-tools.ts";
import { temporaryFolder } from "../../../test/kit/turn-world.ts";
import { createMemoryTools } from "./memory-tools.ts";
import { rank } from "./rank.ts";

function memory(files: Record<string, string>, given: { workspaceFile?: string; enabled?: boolean } = {}) {
  const home = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, "main", name)), { recursive: true });
    writeFileSync(join(home, "main", name), text);
  }
  const asked: string[] = [];
  const world = calledTools(
    createMemoryTools({
      sessions: { session: async () => world.session },
      folderOf: (agentId) => (asked.push(agentId), join(home, "main")),
      settings: () => ({ enabled: given.enabled ?? true, workspaceFile: given.workspaceFile }),
    }),
    { "MEMORY.md": "# Style\nTabs, never spaces.\n", "README.md": "secret plans\n" },
  );
  return { ...world, home, asked };
}

const NOTES = {
  "people.md": "# Alice\nLikes green tea.\n\n# Bob\nOwns the deploy script.\n",
  "2026/deploys.md": "# Deploys\nDeploy on Mondays. The deploy needs two keys.\n\n# Rollback\nAsk Bob.\n",
  "notes.txt": "deploy deploy deploy\n",
  ".hidden.md": "deploy\n",
};

describe("memory_search", () => {
  it("[RT-06] finds the passages that fit best, with their place", async () => {
    const { call } = memory(NOTES);
    expect(await call("memory_search", { query: "How do deploys work?" })).toEqual({
      status: "ok",
      content: {
        searched: 2,
        hits: [
          {
            path: "2026/deploys.md",
            fromLine: 1,
            toLine: 3,
            score: expect.any(Number),
            text: "# Deploys\nDeploy on Mondays. The deploy needs two keys.",
          },
          {
            path: "people.md",
            fromLine: 4,
            toLine: 6,
            score: expect.any(Number),
            text: "# Bob\nOwns the deploy script.",
          },
        ],
      },
    });
  });

  it("[RT-06] looks into the workspace's own file where that is set, and into no other", async () => {
    const { call } = memory(NOTES, { workspaceFile: "MEMORY.md" });
    expect(await call("memory_search", { query: "tabs" })).toMatchObject({
      content: { searched: 3, hits: [{ path: "workspace:MEMORY.md", fromLine: 1 }] },
    });
    expect(await call("memory_search", { query: "secret" })).toMatchObject({ content: { hits: [] } });
  });

  it("is bounded", async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`n${n}.md`, `tea ${"word ".repeat(1_000)}`]));
    const { content } = await memory(many).call("memory_search", { query: "tea", limit: 3 });
    expect(content).toMatchObject({ hits: [{}, {}, {}] });
    expect(JSON.stringify(content).length).toBeLessThan(6_000);
  });

  it("[RT-06] is offered where there is something to remember", () => {
    const offered = ({ registry, session }: ReturnType<typeof memory>) =>
      registry.catalog({ session, settings: {} }).map(({ name }) => name);
    expect(offered(memory(NOTES))).toEqual(["memory_get", "memory_search"]);
    expect(offered(memory({}, { workspaceFile: "MEMORY.md" }))).toEqual(["memory_get", "memory_search"]);
    expect(offered(memory({}))).toEqual([]);
    expect(offered(memory(NOTES, { enabled: false }))).toEqual([]);
  });
});

describe("memory_get", () => {
  it("[RT-06] reads a file or a range of it", async () => {
    const { call } = memory(NOTES, { workspaceFile: "MEMORY.md" });
    expect(await call("memory_get", { path: "people.md", fromLine: 4, lines: 1 })).toEqual({
      status: "ok",
      content: {
        path: "people.md",
        text: "# Bob\n",
        fromLine: 4,
        toLine: 4,
        totalLines: 5,
        more: "Call memory_get with fromLine 5 to go on.",
      },
    });
    expect(await call("memory_get", { path: "workspace:MEMORY.md" })).toMatchObject({ status: "ok" });
  });

  it.each([
    "../other/secret.md",
    "/etc/passwd",
    "/etc/x.md",
    "notes.txt",
    "missing.md",
    "link.md",
    "workspace:README.md",
    "workspace:../MEMORY.md",
    "~/x.md",
  ])("does not read %s", async (path) => {
    const { call, home } = memory(NOTES, { workspaceFile: "MEMORY.md" });
    writeFileSync(join(home, "secret.md"), "token");
    symlinkSync(join(home, "secret.md"), join(home, "main", "link.md"));
    const { status, content } = await call("memory_get", { path });
    expect(status).toBe("error");
    expect(content).not.toContain("token");
  });
});

describe("ranking", () => {
  const passage = (text: string) => ({ path: text, fromLine: 1, toLine: 1, text });
  const order = (texts: string[], query: string): string[] =>
    rank(texts.map(passage), query, 10).map(({ path }) => path);

  it("prefers rare words, more of them, and shorter passages", () => {
    expect(order(["the the tea", "the kettle", "the the the"], "the tea")[0]).toBe("the the tea");
    expect(order(["tea", `tea ${"and more ".repeat(50)}`], "tea")[0]).toBe("tea");
    expect(order(["tea", "tea kettle"], "tea kettle")[0]).toBe("tea kettle");
  });

  it("takes case and the plural for nothing, in any script", () => {
    expect(order(["Ärger mit KEYS", "日本語 のメモ"], "key")).toEqual(["Ärger mit KEYS"]);
    expect(order(["Ärger mit KEYS", "日本語 のメモ"], "日本語")).toEqual(["日本語 のメモ"]);
    expect(order(["a"], "!?")).toEqual([]);
  });
});
