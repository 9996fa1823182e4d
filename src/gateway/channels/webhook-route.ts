/** `POST /hooks/<channel>/<account>`: what vendors send to accounts of channels. Who asks is proven by the channel itself. */
import type { HttpRoute } from "../../http/http-route.ts";
import type { PluginHost } from "../../plugins/host.ts";

const HOOK = /^\/hooks\/([a-z][a-z0-9-]{0,31})\/([a-z0-9][a-z0-9-]{0,31})(\/[A-Za-z0-9/_.-]{0,200})?$/;
const BODY_BYTES_MAX = 256 * 1024;

export function createWebhookRoute(host: Pick<PluginHost, "channels">): HttpRoute {
  return {
    takes: (path) => HOOK.test(path),
    methods: ["POST", "GET"],
    bodyBytesMax: BODY_BYTES_MAX,
    async answer({ method, path, query = "", headers, body }) {
      const [, kind = "", account = "", below = ""] = HOOK.exec(path) ?? [];
      const channel = host.channels.get(kind)?.channel;
      const answer = await channel?.webhook?.(account, { method, path: below, query, headers, body });
      return answer ?? NOBODY;
    },
  };
}

const NOBODY = { status: 404, body: JSON.stringify({ error: { message: "There is nothing here." } }) };
