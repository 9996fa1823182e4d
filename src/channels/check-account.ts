/** Asks the vendor whether an account works, without starting it. */
import type { ChannelsHouse } from "./bridge/house.ts";
import { KINDS, loadKind, MissingPackage } from "./kinds.ts";
import type { Checked } from "./port.ts";
import type { ChannelSettings } from "./protocol/settings.ts";

const CHECK_MS_MAX = 15_000;

export type Checking = {
  name: string;
  settings: ChannelSettings;
  house: Pick<ChannelsHouse, "filled" | "webhookUrl" | "clock">;
};

export type CheckedAccount = {
  ok: boolean;
  me: string | null;
  problem: string | null;
  fix: string | null;
  reach: string;
};

export async function checkAccount({ name, settings, house }: Checking): Promise<CheckedAccount> {
  const kind = KINDS[settings.kind];
  const { reach } = await kind.about();
  const checked = await asked({ name, settings, house });
  return checked.ok
    ? { ok: true, me: checked.me, problem: null, fix: null, reach }
    : { ok: false, me: null, problem: checked.problem, fix: checked.fix, reach };
}

async function asked({ name, settings, house }: Checking): Promise<Checked> {
  try {
    const module = await loadKind(KINDS[settings.kind]);
    const vendor = await module.open({
      settings: await house.filled(settings),
      webhookUrl: house.webhookUrl(settings.kind, name),
      now: () => house.clock.now(),
    });
    return await vendor.check(AbortSignal.timeout(CHECK_MS_MAX));
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { ok: false, problem, fix: error instanceof MissingPackage ? error.fix : "Correct it, then try again." };
  }
}
