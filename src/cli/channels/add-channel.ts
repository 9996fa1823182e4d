/** `holdpoint channels add`: asks for what the kind needs, asks the vendor whether it works, and only then writes it down. */
import { type CheckedAccount, checkAccount } from "../../channels/check-account.ts";
import { type Kind, KINDS } from "../../channels/kinds.ts";
import type { Question } from "../../channels/port.ts";
import { ChannelSettings, ChannelsSettings } from "../../channels/protocol/settings.ts";
import { ensureHome, homePath } from "../../config/home.ts";
import { loadConfig } from "../../config/load.ts";
import { findSecret, saveSecret } from "../../config/secrets-file.ts";
import { CliError } from "../cli-error.ts";
import { setConfig } from "../commands/config.ts";
import { type CommandContext, isTerminal } from "../context.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { askPerson } from "./ask-person.ts";
import { resultLines } from "./channels.ts";
import { vendorHouse } from "./vendor-house.ts";

export type AddChannel = { name?: string; set?: string[] };

type Secret = { name: string; value: string };
/** `settings` name secrets, `secrets` hold what is new of them. */
type Answers = { settings: Record<string, unknown>; secrets: Secret[] };

export async function addChannel(kindName: string, options: AddChannel, context: CommandContext): Promise<void> {
  const { env, output } = context;
  const kind = kindOf(kindName);
  const { name = kindName } = options;
  const home = homePath(env);
  await ensureHome(home);
  const { config } = await loadConfig(home, env);
  if (config.channels[name] !== undefined)
    throw usage(
      `There is a channel "${sanitiseLine(name)}" already.`,
      `Remove it first: holdpoint channels remove ${name}`,
    );
  const answers = await answersFor(kind, { kindName, name, given: givenIn(options), context });
  const settings = ChannelsSettings.safeParse({ [name]: answers.settings });
  if (!settings.success) throw usage(problemIn(settings.error.issues), "See what there is: holdpoint channels kinds");
  const checked = await withSecrets(name, answers, { config, env });
  if (!checked.result.ok)
    throw new CliError({
      exit: "failed",
      message: `${sentence(checked.result.problem ?? "")} Nothing was written.`,
      advice: checked.result.fix ?? "",
      code: "CHANNEL_FAILED",
    });
  output.lines(resultLines(name, checked.settings, checked.result));
  for (const secret of answers.secrets) await saveSecret(home, secret);
  await setConfig(`channels.${name}`, JSON.stringify(answers.settings), context);
  output.remark(
    `Whoever should use it writes /pair to ${sanitiseLine(checked.result.me ?? name)} and gets a code. Then: holdpoint pair approve CODE`,
  );
}

const sentence = (problem: string): string => sanitiseLine(problem.replace(/[^.!?]$/, "$&."));

function kindOf(name: string): Kind {
  const found = Object.entries(KINDS).find(([kind]) => kind === name)?.[1];
  if (found === undefined)
    throw usage(`There is no kind of channel "${sanitiseLine(name)}".`, `There are: ${Object.keys(KINDS).join(", ")}`);
  return found;
}

const givenIn = ({ set = [] }: AddChannel): Map<string, string> =>
  new Map(
    set.map((text): [string, string] => {
      const [, name, value] = /^([A-Za-z]+)=(.*)$/s.exec(text) ?? [];
      if (name === undefined || value === undefined)
        throw usage(`"${sanitiseLine(text)}" is no setting.`, "Write it as name=value.");
      return [name, value];
    }),
  );

type Asking = { kindName: string; name: string; given: Map<string, string>; context: CommandContext };

async function answersFor(kind: Kind, asking: Asking): Promise<Answers> {
  const { questions } = await kind.about();
  const asked = new Set(questions.map(({ setting }) => setting));
  const texts = Object.fromEntries([...asking.given].filter(([name]) => !asked.has(name)));
  const secrets: Secret[] = [];
  for (const question of questions) {
    const value = await answerTo(question, asking);
    if (value === undefined) continue;
    const { setting, secretName } = question;
    if (secretName === undefined || value.includes("${")) texts[setting] = value;
    else {
      const secret = { name: secretFor(secretName, asking), value };
      texts[setting] = `\${${secret.name}}`;
      secrets.push(secret);
    }
  }
  return { settings: { kind: asking.kindName, ...plainSettings(asking.kindName, texts) }, secrets };
}

/** A second account of a kind has a secret of its own. */
const secretFor = (secretName: string, { name, kindName }: Asking): string =>
  name === kindName ? secretName : `${secretName}_${name.toUpperCase().replaceAll("-", "_")}`;

/** What was given; else a secret that is there already; else what the person types. */
async function answerTo(question: Question, asking: Asking): Promise<string | undefined> {
  const { setting, ask, secretName, optional = false } = question;
  const given = asking.given.get(setting);
  if (given !== undefined) return given;
  const { env } = asking.context;
  const known = secretName === undefined ? undefined : secretFor(secretName, asking);
  if (known !== undefined && (await findSecret(known, { home: homePath(env), env })) !== undefined)
    return `\${${known}}`;
  if (!isTerminal(asking.context)) {
    if (optional) return undefined;
    const where = known === undefined ? "" : `, or set ${known} in the environment or in secrets.yaml`;
    throw usage(`${ask}: it is missing.`, `Give it: --set ${setting}=…${where}`);
  }
  return askPerson({ ask, optional, isSecret: secretName !== undefined }, asking.context);
}

/** As text where the kind takes a text, as JSON where it takes a number, a list or a switch: an id of digits is a text. */
function plainSettings(kindName: string, texts: Readonly<Record<string, string>>): Record<string, unknown> {
  const refused = (settings: object): ReadonlySet<unknown> =>
    new Set(ChannelSettings.safeParse({ kind: kindName, ...settings }).error?.issues.map(({ path: [name] }) => name));
  const asJson = mapped(texts, plainValue);
  const [notText, notJson] = [refused(texts), refused(asJson)];
  return mapped(texts, (text, name) => (notText.has(name) && !notJson.has(name) ? asJson[name] : text));
}

const mapped = (texts: Readonly<Record<string, string>>, to: (text: string, name: string) => unknown) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, to(text, name)]));

function plainValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

type Around = { config: Awaited<ReturnType<typeof loadConfig>>["config"]; env: CommandContext["env"] };

/** Asked with secrets that are not written down yet. */
async function withSecrets(
  name: string,
  { settings, secrets }: Answers,
  { config, env }: Around,
): Promise<{ settings: ChannelSettings; result: CheckedAccount }> {
  const fresh = Object.fromEntries(secrets.map((secret) => [secret.name, secret.value]));
  const parsed = ChannelSettings.parse(settings);
  const house = vendorHouse(config, { ...env, ...fresh });
  return { settings: parsed, result: await checkAccount({ name, settings: parsed, house }) };
}

const problemIn = (issues: readonly { path: PropertyKey[]; message: string }[]): string =>
  issues.map(({ path, message }) => `${path.slice(1).map(String).join(".")}: ${message}`).join("; ");

const usage = (message: string, advice: string): CliError =>
  new CliError({ exit: "usage", message, advice, code: "USAGE" });
