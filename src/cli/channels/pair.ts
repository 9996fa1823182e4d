/** `holdpoint pair list|approve|revoke`: who is who on channels. */
import { Scope } from "../../protocol/actor.ts";
import type { OperatorId } from "../../protocol/ids.ts";
import { CliError } from "../cli-error.ts";
import type { Link } from "../chat/link.ts";
import type { CommandContext } from "../context.ts";
import { withGateway } from "../gateway-link.ts";
import { ago } from "../text/duration.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { table } from "../text/table.ts";

export type ApprovePair = { operator?: string; name?: string; scopes?: string };

type Person = { surface: string; account: string; personId: string };
const nameOf = ({ surface, account, personId }: Person): string => sanitiseLine(`${surface}/${account}/${personId}`);

export async function listPairs({ output, env }: CommandContext): Promise<void> {
  await withGateway(env, async (link) => {
    const { requests, people } = await link.call("pair.list", {});
    output.document({ requests, people });
    const nowMs = Date.now();
    if (requests.length > 0) {
      const rows = requests.map((one) => [one.code, nameOf(one), sanitiseLine(one.name), ago(nowMs - one.atMs)]);
      output.lines(["Asking:", ...table(["code", "account", "calls themselves", "asked"], rows, output.look())]);
    }
    if (people.length > 0) {
      const rows = people.map((one) => [
        nameOf(one),
        sanitiseLine(one.operatorName ?? "nobody: revoked"),
        ago(nowMs - one.createdAtMs),
      ]);
      output.lines(["Paired:", ...table(["account", "is", "since"], rows, output.look())]);
    }
    if (requests.length + people.length === 0)
      output.lines(["Nobody. Whoever should be paired writes /pair to one of your channels: holdpoint channels list"]);
  });
}

export async function approvePair(code: string, options: ApprovePair, { output, env }: CommandContext): Promise<void> {
  const scopes = options.scopes === undefined ? undefined : scopesIn(options.scopes);
  await withGateway(env, async (link) => {
    const operatorId = options.operator === undefined ? undefined : await operatorNamed(options.operator, link);
    const { person } = await link.call("pair.approve", {
      code,
      ...(operatorId === undefined ? {} : { operatorId }),
      ...(options.name === undefined ? {} : { name: options.name }),
      ...(scopes === undefined ? {} : { scopes }),
    });
    output.document({ person });
    output.lines([`${nameOf(person)} is "${sanitiseLine(person.operatorName ?? "")}" from now on.`]);
  });
}

function scopesIn(text: string): Scope[] {
  const parsed = Scope.array().safeParse(text.split(",").map((one) => one.trim()));
  if (parsed.success) return parsed.data;
  throw usage(`"${sanitiseLine(text)}" are no scopes.`, `There are: ${Scope.options.join(", ")}`);
}

async function operatorNamed(operator: string, link: Link): Promise<OperatorId> {
  const { tokens } = await link.call("tokens.list", {});
  const [only, ...others] = tokens.filter(
    ({ id, name, device, revokedAtMs }) =>
      device === null && revokedAtMs === null && (id === operator || name === operator),
  );
  if (only !== undefined && others.length === 0) return only.id;
  throw usage(`There is no one operator "${sanitiseLine(operator)}".`, "See them with: holdpoint tokens list");
}

export async function revokePair(account: string, { output, env }: CommandContext): Promise<void> {
  const [, surface, name, personId] = /^([^/]+)\/([^/]+)\/(.+)$/s.exec(account) ?? [];
  if (surface === undefined || name === undefined || personId === undefined)
    throw usage(`"${sanitiseLine(account)}" is no account.`, "Write it as list shows it: holdpoint pair list");
  await withGateway(env, async (link) => {
    const { people } = await link.call("pair.list", {});
    const was = people.find((one) => one.surface === surface && one.account === name && one.personId === personId);
    await link.call("pair.revoke", { surface, account: name, personId });
    output.document({});
    output.lines([
      `${sanitiseLine(account)} is nobody from now on.`,
      ...(was === undefined || was.operatorName === null
        ? []
        : [
            `What it decided and scheduled counts as ${sanitiseLine(was.operatorName)}'s. To end that too: holdpoint tokens revoke ${was.operatorId}`,
          ]),
    ]);
  });
}

const usage = (message: string, advice: string): CliError =>
  new CliError({ exit: "usage", message, advice, code: "USAGE" });
