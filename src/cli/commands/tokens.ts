/** `holdpoint tokens …` */
import { Scope } from "../../protocol/actor.ts";
import { OperatorId } from "../../protocol/ids.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../context.ts";
import { withGateway } from "../gateway-link.ts";
import { ago } from "../text/duration.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { table } from "../text/table.ts";

export async function createToken(
  name: string,
  options: { scope: string[] },
  { output, env }: CommandContext,
): Promise<void> {
  await withGateway(env, async (link) => {
    const scopes = options.scope.map((scope) => Scope.parse(`operator.${scope}`));
    const { token, secret } = await link.call("tokens.create", { name, scopes });
    output.document({ token, secret });
    output.remark(
      `Token ${token.id} for "${sanitiseLine(token.name)}" (${scopes.join(", ")}). This is the only time its secret is shown:`,
    );
    output.lines([secret]);
  });
}

export async function listTokens({ output, env }: CommandContext): Promise<void> {
  await withGateway(env, async (link) => {
    const { tokens } = await link.call("tokens.list", {});
    output.document({ tokens });
    const rows = tokens.map((token) => [
      token.id,
      sanitiseLine(token.name),
      stateOf(token, Date.now()),
      ago(Date.now() - token.createdAtMs),
      token.scopes.map((scope) => scope.replace("operator.", "")).join(" "),
    ]);
    output.lines(table(["token", "name", "state", "made", "scopes"], rows, output.look()));
  });
}

type Listed = { revokedAtMs: number | null; device: { expiresAtMs: number } | null };

function stateOf({ revokedAtMs, device }: Listed, nowMs: number): string {
  if (revokedAtMs !== null) return "revoked";
  if (device === null) return "valid";
  return device.expiresAtMs > nowMs ? "browser" : "expired";
}

export async function revokeToken(id: string, { output, env }: CommandContext): Promise<void> {
  const operatorId = OperatorId.safeParse(id);
  if (!operatorId.success) {
    const advice = "Ids begin with opr_; see them with: holdpoint tokens list";
    throw new CliError({ exit: "usage", message: `"${id}" is no token's id.`, advice, code: "USAGE" });
  }
  await withGateway(env, async (link) => {
    const { token } = await link.call("tokens.revoke", { id: operatorId.data });
    output.document({ token });
    output.lines([`Revoked ${token.id}; its connections have ended.`]);
  });
}
