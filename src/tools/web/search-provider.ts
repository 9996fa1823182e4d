/** The search port: a question goes in, places on the web come out. Each provider is an adapter of its own. */
import type { z } from "zod";

export type SearchHit = { title: string; url: string; text: string };
type SearchQuery = { query: string; count: number; signal: AbortSignal };
export type SearchProvider = { name: string; search(query: SearchQuery): Promise<SearchHit[]> };

/** The provider did not answer as it should; the message is for the model, without the key. */
export class SearchFailure extends Error {}

const ANSWER_BYTES_MAX = 2 * 1_024 * 1_024;

/** One JSON document of a provider, bounded; every way in which it can go wrong is a SearchFailure. */
export async function fetchJson<Shape extends z.ZodType>(
  url: URL,
  { headers, signal, shape }: { headers: Record<string, string>; signal: AbortSignal; shape: Shape },
): Promise<z.infer<Shape>> {
  let response: Response;
  try {
    // a provider that redirects would be handed the key at another place
    response = await fetch(url, { headers: { accept: "application/json", ...headers }, signal, redirect: "error" });
  } catch (cause) {
    throw new SearchFailure("The search provider could not be reached.", { cause });
  }
  if (!response.ok)
    throw new SearchFailure(REASONS[response.status] ?? `The search provider answered ${response.status}.`);
  const parsed = shape.safeParse(await bounded(response));
  if (!parsed.success) throw new SearchFailure("The search provider answered in a form that is not understood.");
  return parsed.data;
}

const REASONS: Readonly<Record<number, string>> = {
  401: "The search provider does not accept the key. The person must set another.",
  403: "The search provider refuses. The person must look at its key or its settings.",
  429: "The search provider asks to wait: too many questions. Try again later.",
};

async function bounded(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > ANSWER_BYTES_MAX) throw new SearchFailure("The search provider answered with too much.");
      chunks.push(chunk);
    }
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch (cause) {
    if (cause instanceof SearchFailure) throw cause;
    throw new SearchFailure("The search provider broke off, or sent no JSON.", { cause });
  }
}
