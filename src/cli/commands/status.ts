/** `holdpoint status`: what the running gateway is doing and what waits for a person. */
import type { CommandContext } from "../context.ts";
import { findGateway, withGateway } from "../gateway-link.ts";
import { MARKS } from "../cards/marks.ts";
import { duration } from "../text/duration.ts";
import { describeStuck } from "../text/stuck-order.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { hang } from "../text/wrap.ts";

export async function status({ output, env }: CommandContext): Promise<void> {
  const { url } = await findGateway(env);
  await withGateway(env, async (link) => {
    const [state, health] = await Promise.all([link.call("status", {}), link.call("health", {})]);
    output.document({ url, ...state, health });
    const { paint } = output.look();
    const waiting =
      state.waiting === 0 ? "nothing waits for a person" : paint.waiting(`${state.waiting} waiting for a person`);
    const store = health.store.writable ? health.store.detail : paint.bad(`${state.store}: ${health.store.detail}`);
    output.lines([
      `${paint.accent("◆")} ${paint.strong("Holdpoint")} ${state.version} ${health.ready ? paint.good("ready") : paint.bad("not ready")} ${paint.quiet(url)}`,
      `  up ${duration(state.uptimeMs)}, process ${state.pid}, home ${state.home}`,
      `  store ${store}`,
      `  model ${state.model}${state.model === "demo" ? " (scripted)" : ""}, ${state.runningTurns} turns running, ${state.connections} connections`,
      `  ${waiting}`,
      ...modeLines(state.modes ?? {}),
      ...(state.stuckOrders ?? []).flatMap((order) =>
        hang(`  ${MARKS.bad} `, sanitiseLine(describeStuck(order)), output.look().columns).map(paint.bad),
      ),
      ...state.notes.flatMap((note) =>
        hang(`  ${MARKS.bad} `, sanitiseLine(note), output.look().columns).map(paint.bad),
      ),
    ]);
  });
}

/** How many sessions plan, and how many carry a plan out. */
function modeLines(modes: Readonly<Record<string, number>>): string[] {
  const counts = Object.entries(modes).map(
    ([mode, count]) => `${count} ${MODE_WORDS[mode] ?? `in mode ${sanitiseLine(mode)}`}`,
  );
  return counts.length === 0 ? [] : [`  sessions: ${counts.join(", ")}`];
}

const MODE_WORDS: Readonly<Record<string, string>> = {
  plan: "in plan mode",
  executing: "carrying out a plan",
  held: "held (reading only, until somebody runs: holdpoint plan lift --session ID)",
};
