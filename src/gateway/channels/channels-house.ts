/** What the channels' plugin needs of this gateway: its settings with their secrets, its address, and plans to send whole. */
import type { ChannelsHouse, PlanText } from "../../channels/bridge/house.ts";
import { ChannelSettings } from "../../channels/protocol/settings.ts";
import type { Config } from "../../config/config.ts";
import { findSecret } from "../../config/secrets-file.ts";
import { planSections } from "../../plan-mode/cards/plan-sections.ts";
import { planRevision } from "../../plan-mode/methods/plan-records.ts";
import { PlanId } from "../../protocol/ids.ts";
import { fillSecrets, type SecretSource } from "../../tools/mcp/secret-values.ts";
import type { State } from "../../compose/state.ts";
import type { Documents } from "../../plugins/sdk.ts";
import { listed } from "../methods/listed.ts";

export function createChannelsHouse(state: State): ChannelsHouse {
  const { config, clock, store, options, attention } = state;
  const at = { home: options.home, env: options.env ?? process.env };
  const documents: Documents = {
    get: (kind, id) => store.artifact(kind, id),
    list: (query) => listed(() => store.artifacts(query)),
  };
  return {
    clock,
    settings: () => config.current().channels,
    onSettings: (listener) => config.onChange(({ kind }) => kind === "applied" && listener()),
    filled: (settings) => fillSettings(settings, (name) => findSecret(name, at)),
    webhookUrl: (kind, account) => webhookAddress(config.current(), { kind, account }),
    trouble(account, problem) {
      const name = `channels (${account})`;
      if (problem === undefined) attention.clear(name);
      else attention.add(name, problem);
    },
    sharesStore: () => config.current().store.kind === "postgres",
    plan: (planId) => planText(planId, documents),
  };
}

/** With secrets in the place of their names: ${NAME} in any setting that is a text. */
export async function fillSettings(settings: ChannelSettings, secret: SecretSource): Promise<ChannelSettings> {
  const texts = Object.entries(settings).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return ChannelSettings.parse({ ...settings, ...(await fillSecrets(Object.fromEntries(texts), secret)) });
}

/** Where a vendor reaches an account; undefined while the gateway has no address of its own. */
export function webhookAddress({ gateway }: Config, { kind, account }: { kind: string; account: string }) {
  const { pageAddress } = gateway;
  return pageAddress === undefined ? undefined : `${new URL(pageAddress).origin}/hooks/${kind}/${account}`;
}

async function planText(planId: string, documents: Documents): Promise<PlanText | undefined> {
  const id = PlanId.safeParse(planId);
  const revision = id.success ? await planRevision(documents, id.data) : undefined;
  if (revision === undefined) return undefined;
  const { exportPlan } = await import("../../plan-mode/methods/export-plan.ts");
  const { filename: name, mediaType, text } = await exportPlan(revision, "markdown", { documents });
  return { sections: planSections(revision.body), file: { name, mediaType, text } };
}
