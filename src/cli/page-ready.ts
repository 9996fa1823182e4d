/**
 * Waits until the gateway can serve its page: in a clone the page is built the first time, and whoever opens a link should
 * not wait for that. The gateway itself is ready before, and stays so.
 */
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Output } from "./output.ts";

/** Then the link is shown anyway; the page tells that it is being prepared. */
const READY_MS_MAX = 15_000;
const REMARK_AFTER_MS = 250;

export async function pageReady(url: string, output: Pick<Output, "remark">): Promise<void> {
  const { protocol, host } = new URL(url);
  const isSecure = protocol === "wss:" || protocol === "https:";
  const remark = setTimeout(() => output.remark("Preparing the page, once …"), REMARK_AFTER_MS);
  await head(`${isSecure ? "https" : "http"}://${host}/`, isSecure ? requestHttps : requestHttp);
  clearTimeout(remark);
}

/** Whatever the answer is, the link is as good as it gets. */
function head(address: string, request: typeof requestHttp): Promise<void> {
  return new Promise((resolve) => {
    const options = { method: "HEAD", headers: { accept: "*/*" }, agent: false, timeout: READY_MS_MAX };
    const asking = request(address, options, (response) => {
      response.resume();
      resolve();
    });
    asking.on("timeout", () => asking.destroy(new Error("the page is not ready yet")));
    asking.on("error", () => resolve());
    asking.end();
  });
}
