import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { calledTools } from "../../../test/kit/called-tools.ts";
import { systemClock } from "../../engine/clock.ts";
import { createBraveSearch } from "./brave/brave-search.ts";
import type { SearchProvider } from "./search-provider.ts";
import { createSearxngSearch } from "./searxng/searxng-search.ts";
import { createWebSearchTool } from "./web-search.ts";

type Reply = { status?: number; body: string; location?: string };

async function provider(make: (url: string) => SearchProvider, reply: Reply) {
  const seen: { url: string | undefined; key: unknown }[] = [];
  const server = createServer((request, response) => {
    seen.push({ url: request.url, key: request.headers["x-subscription-token"] });
    response
      .writeHead(reply.status ?? 200, {
        "content-type": "application/json",
        ...(reply.location === undefined ? {} : { location: reply.location }),
      })
      .end(reply.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const made = make(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const world = calledTools([createWebSearchTool({ provider: () => made, clock: systemClock })]);
  return { ...world, seen };
}

const brave = (url: string) => createBraveSearch({ url, apiKeyName: "BRAVE_API_KEY", secret: async () => "key-1" });
const searxng = (url: string) => createSearxngSearch({ url: `${url}/sub` });

/** As the two services really answer. */
const BRAVE = JSON.stringify({
  type: "search",
  query: { original: "tea" },
  web: {
    type: "search",
    results: [
      {
        title: "Tea &amp; time",
        url: "https://a.test/",
        description: "All about <strong>tea</strong>.",
        language: "en",
      },
      { title: "Second", url: "https://b.test/" },
    ],
  },
});
const SEARXNG = JSON.stringify({
  query: "tea",
  number_of_results: 0,
  results: [
    { title: "One", url: "https://a.test/", content: "first", engine: "duckduckgo", score: 1 },
    { title: "Two", url: "https://b.test/", content: null, engine: "bing", score: 0.5 },
    { title: "Three", url: "https://c.test/", content: "third" },
  ],
  answers: [],
});

describe("web_search", () => {
  it("[TO-09] asks Brave with the key and shows what it finds, fenced", async () => {
    const { call, seen } = await provider(brave, { body: BRAVE });
    expect(await call("web_search", { query: " tea & more " })).toEqual({
      status: "ok",
      content: {
        results: 2,
        text: expect.stringMatching(
          /^\[untrusted [0-9a-f]{24}: .*\]\n1\. Tea & time\nhttps:\/\/a\.test\/\nAll about tea\.\n\n2\. Second\nhttps:\/\/b\.test\/\n\[end/,
        ),
      },
    });
    expect(seen).toEqual([{ url: "/res/v1/web/search?q=tea+%26+more&count=8", key: "key-1" }]);
  });

  it("[TO-09] asks SearXNG for JSON and takes as many as wanted", async () => {
    const { call, seen } = await provider(searxng, { body: SEARXNG });
    expect(await call("web_search", { query: "tea", count: 2 })).toMatchObject({ content: { results: 2 } });
    expect(seen).toEqual([{ url: "/sub/search?q=tea&format=json", key: undefined }]);
  });

  it.each([
    [401, "Not searched: The search provider does not accept the key. The person must set another."],
    [403, "Not searched: The search provider refuses. The person must look at its key or its settings."],
    [429, "Not searched: The search provider asks to wait: too many questions. Try again later."],
    [500, "Not searched: The search provider answered 500."],
  ])("tells what a %i means", async (status, content) => {
    const { call } = await provider(brave, { status, body: "{}" });
    expect(await call("web_search", { query: "tea" })).toEqual({ status: "error", content });
  });

  it.each(["no json", '{"results": "none"}', "x".repeat(3_000_000)])(
    "survives an answer that is none",
    async (body) => {
      const { call } = await provider(searxng, { body });
      expect(await call("web_search", { query: "tea" })).toMatchObject({
        status: "error",
        content: expect.stringMatching(/^Not searched: /),
      });
    },
  );

  it("does not follow a redirect, which would hand the key to somebody else", async () => {
    const { call, seen } = await provider(brave, { status: 302, body: "", location: "/elsewhere" });
    expect(await call("web_search", { query: "tea" })).toEqual({
      status: "error",
      content: "Not searched: The search provider could not be reached.",
    });
    expect(seen).toHaveLength(1);
  });

  it("says which key is missing, and asks nobody", async () => {
    const keyless = (url: string) =>
      createBraveSearch({ url, apiKeyName: "BRAVE_API_KEY", secret: async () => undefined });
    const { call, seen } = await provider(keyless, { body: BRAVE });
    expect(await call("web_search", { query: "tea" })).toEqual({
      status: "error",
      content: "Not searched: The person must set BRAVE_API_KEY in the environment or in secrets.yaml first.",
    });
    expect(seen).toEqual([]);
  });

  it("is not offered where no provider is configured", () => {
    const { registry, session } = calledTools([createWebSearchTool({ provider: () => undefined, clock: systemClock })]);
    expect(registry.catalog({ session, settings: {} })).toEqual([]);
  });
});
