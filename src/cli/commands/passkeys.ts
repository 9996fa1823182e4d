/** `holdpoint passkeys …` */
import { homePath } from "../../config/home.ts";
import { loadConfig } from "../../config/load.ts";
import { pageAddress } from "../../gateway/presence/page-address.ts";
import { recoverOperator } from "../../gateway/presence/recover-operator.ts";
import type { OperatorId } from "../../protocol/ids.ts";
import type { ResultOf } from "../../protocol/methods.ts";
import type { Link } from "../chat/link.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../context.ts";
import { withGateway } from "../gateway-link.ts";
import { onlineOrOffline } from "../offline-store.ts";
import { ago } from "../text/duration.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { table } from "../text/table.ts";

type PasskeyView = ResultOf<"passkeys.list">["passkeys"][number];
type Named = { id: OperatorId; name: string };

export async function listPasskeys({ output, env }: CommandContext): Promise<void> {
  await withGateway(env, async (link) => {
    const { passkeys } = await link.call("passkeys.list", {});
    output.document({ passkeys });
    if (passkeys.length === 0) return output.lines(["There are none. Add one with: holdpoint passkeys link"]);
    const nowMs = Date.now();
    const rows = passkeys.map((passkey) => [
      passkey.fingerprint,
      sanitiseLine(passkey.name),
      passkey.operatorId,
      passkey.state,
      ago(nowMs - passkey.createdAtMs),
      passkey.usedAtMs === null ? "never" : ago(nowMs - passkey.usedAtMs),
      passkey.rpId,
    ]);
    output.lines(table(["fingerprint", "name", "operator", "state", "made", "used", "for"], rows, output.look()));
  });
}

export async function linkPasskey(operator: string | undefined, { output, env }: CommandContext): Promise<void> {
  await withGateway(env, async (link) => {
    const whose = operator === undefined ? {} : { operatorId: (await found(operator, link)).id };
    const made = await link.call("passkeys.link", whose);
    output.document(made);
    output.remark(
      `Whoever opens this within ten minutes adds a passkey for "${sanitiseLine(made.operator.name)}". It works once:`,
    );
    output.lines([made.link]);
  });
}

async function found(operator: string, link: Link): Promise<Named> {
  const { tokens } = await link.call("tokens.list", {});
  return oneOf(
    tokens.filter(({ device, revokedAtMs }) => device === null && revokedAtMs === null),
    operator,
  );
}

/** By id, or by a name that only one has. */
function oneOf(operators: readonly Named[], operator: string): Named {
  const matching = operators.filter(({ id, name }) => id === operator || name === operator);
  const [only] = matching;
  if (only !== undefined && matching.length === 1) return only;
  const advice = "See them with: holdpoint tokens list";
  const message =
    only === undefined
      ? `There is no operator "${sanitiseLine(operator)}".`
      : `Several operators are called "${sanitiseLine(operator)}". Name one by its id.`;
  throw new CliError({ exit: "usage", message, advice, code: "USAGE" });
}

export async function revokePasskey(id: string, { output, env }: CommandContext): Promise<void> {
  await withGateway(env, async (link) => {
    const { passkeys } = await link.call("passkeys.list", {});
    const { credentialId } = named(passkeys, id);
    const { passkey } = await link.call("passkeys.revoke", { credentialId });
    output.document({ passkey });
    output.lines([
      `Revoked the passkey "${sanitiseLine(passkey.name)}" (${passkey.fingerprint}); it signs nothing more.`,
    ]);
  });
}

function named(passkeys: readonly PasskeyView[], id: string): PasskeyView {
  const [only, ...others] = passkeys.filter(
    ({ credentialId, fingerprint }) => credentialId === id || fingerprint === id,
  );
  if (only !== undefined && others.length === 0) return only;
  const advice = "See them with: holdpoint passkeys list";
  throw new CliError({ exit: "usage", message: `There is no passkey "${sanitiseLine(id)}".`, advice, code: "USAGE" });
}

/** On the store itself: it takes whoever may stop the gateway and write its folder, and leaves a row in the audit log. */
export async function recoverPasskeys(operator: string, { output, env }: CommandContext): Promise<void> {
  const { config } = await loadConfig(homePath(env), env);
  const { origin, rpId } = pageAddress(config, config.gateway);
  if (rpId === undefined) throw noName();
  const made = await onlineOrOffline(env, {
    online: async () => {
      throw new CliError({
        exit: "stateHeld",
        message: "The gateway runs. Recovery is made on its store, so that nobody with a token alone can do it.",
        advice: "Stop it, then run this again.",
        code: "STATE_HELD",
      });
    },
    async offline(store) {
      const tokens = await store.tokens();
      const own = tokens.filter(({ device, revokedAtMs }) => device === null && revokedAtMs === null);
      return recoverOperator(oneOf(own, operator), { store, nowMs: Date.now() });
    },
  });
  if ("refused" in made)
    throw new CliError({ exit: "storeUnusable", message: made.refused.message, advice: "", code: made.refused.code });
  const link = `${origin}/${made.fragment}`;
  output.document({ ...made, link });
  output.remark(
    `${made.revoked} passkeys of "${sanitiseLine(made.operator.name)}" were revoked. Start the gateway; whoever then opens this within ten minutes adds a new one:`,
  );
  output.lines([link]);
}

const noName = (): CliError =>
  new CliError({
    exit: "configInvalid",
    message: "Passkeys work only where the page has a name.",
    advice: "holdpoint config set gateway.pageAddress https://…",
    code: "CONFIG_INVALID",
  });
