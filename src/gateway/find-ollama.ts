/** Looks for a model on this machine that can call tools. Quick, and silent when there is none. */
import { connect } from "node:net";
import { z } from "zod";

/** It answers in a millisecond where it runs; a start must not wait for one that hangs. */
const LOOK_MS_MAX = 300;
const MODELS_LOOKED_AT_MAX = 10;

const Tags = z.object({ models: z.array(z.object({ name: z.string(), model: z.string().optional() })) });
const Shown = z.object({ capabilities: z.array(z.string()).optional() });

/** `baseUrl` is that of its OpenAI-compatible API. The most recently used model comes first. */
export async function findOllamaModel(baseUrl: string): Promise<string | undefined> {
  const signal = AbortSignal.timeout(LOOK_MS_MAX);
  const api = new URL("../api/", `${baseUrl.replace(/\/$/, "")}/`);
  if (await isRefused(api, signal)) return undefined;
  const tags = Tags.safeParse(await answer(new URL("tags", api), { signal }));
  if (!tags.success) return undefined;
  for (const { name } of tags.data.models.slice(0, MODELS_LOOKED_AT_MAX)) {
    const request = { method: "POST", body: JSON.stringify({ model: name }), signal };
    const shown = Shown.safeParse(await answer(new URL("show", api), request));
    if (shown.success && shown.data.capabilities?.includes("tools") === true) return name;
  }
  return undefined;
}

/** Most machines run none, and learn it from a bare connection: loading fetch would take longer than the whole look. */
function isRefused({ protocol, hostname, port }: URL, signal: AbortSignal): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, ""); // an IPv6 address
  const socket = connect({ host, port: Number(port) || (protocol === "https:" ? 443 : 80), signal });
  return new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(false));
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code === "ECONNREFUSED"));
  }).finally(() => socket.destroy());
}

async function answer(url: URL, init: RequestInit): Promise<unknown> {
  try {
    const response = await fetch(url, { ...init, redirect: "error" });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined; // not there, or not what we look for
  }
}
