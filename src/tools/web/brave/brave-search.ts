/** Search with Brave: https://api-dashboard.search.brave.com/app/documentation/web-search */
import { z } from "zod";
import { fetchJson, SearchFailure, type SearchProvider } from "../search-provider.ts";

const Answer = z.object({
  web: z
    .object({
      results: z
        .array(z.object({ title: z.string().default(""), url: z.string(), description: z.string().default("") }))
        .default([]),
    })
    .nullish(),
});

export type BraveParts = {
  url: string;
  apiKeyName: string;
  /** A secret by its name; asked at each search, so that a new key counts at once. */
  secret(name: string): Promise<string | undefined>;
};

export const createBraveSearch = ({ url, apiKeyName, secret }: BraveParts): SearchProvider => ({
  name: "brave",
  async search({ query, count, signal }) {
    const apiKey = await secret(apiKeyName);
    if (apiKey === undefined)
      throw new SearchFailure(`The person must set ${apiKeyName} in the environment or in secrets.yaml first.`);
    const target = new URL("/res/v1/web/search", url);
    target.searchParams.set("q", query);
    target.searchParams.set("count", String(count));
    const answer = await fetchJson(target, { headers: { "x-subscription-token": apiKey }, signal, shape: Answer });
    return (answer.web?.results ?? []).map((hit) => ({ title: hit.title, url: hit.url, text: hit.description }));
  },
});
