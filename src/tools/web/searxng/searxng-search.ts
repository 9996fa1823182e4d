/**
 * Search with a SearXNG instance, which must list `json` under `search.formats`:
 * https://docs.searxng.org/dev/search_api.html
 */
import { z } from "zod";
import { fetchJson, type SearchProvider } from "../search-provider.ts";

const Answer = z.object({
  results: z
    .array(z.object({ title: z.string().default(""), url: z.string(), content: z.string().nullish() }))
    .default([]),
});

export const createSearxngSearch = ({ url }: { url: string }): SearchProvider => ({
  name: "searxng",
  async search({ query, count, signal }) {
    const target = new URL("search", url.endsWith("/") ? url : `${url}/`);
    target.searchParams.set("q", query);
    target.searchParams.set("format", "json");
    const answer = await fetchJson(target, { headers: {}, signal, shape: Answer });
    return answer.results.slice(0, count).map((hit) => ({ title: hit.title, url: hit.url, text: hit.content ?? "" }));
  },
});
