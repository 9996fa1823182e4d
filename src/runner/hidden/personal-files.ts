/**
 * Files and folders by which a program acts as the person elsewhere, wherever their environment says that they are. The
 * gateway of root hides those of every person of the machine: root reads them all.
 */
import { readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { ANNOUNCED, recognisedPlaces } from "./recognised-places.ts";

const list = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

/** Below the home folder. */
const AGENTS_AND_BROWSERS = list(`
  .claude .claude.json .codex .gemini .qwen .copilot .cursor .continue .aider .config/opencode .local/share/opencode
  .config/github-copilot .config/Claude .config/Cursor .config/Code/User/globalStorage .codeium .windsurf .config/goose
  .local/share/goose .config/crush .local/share/crush .config/amp .local/share/amp .factory .kiro .config/zed .local/share/zed
  .mozilla .config/mozilla .thunderbird .librewolf .config/librewolf .zen .config/zen .waterfox .floorp .config/floorp
  .config/google-chrome .config/google-chrome-beta .config/google-chrome-unstable .config/chromium .config/BraveSoftware
  .config/microsoft-edge .config/microsoft-edge-beta .config/microsoft-edge-dev .config/vivaldi .config/vivaldi-snapshot
  .config/opera .config/opera-beta .config/opera-developer .config/thorium .config/net.imput.helium .config/ungoogled-chromium
  .config/yandex-browser .config/yandex-browser-beta .config/naver-whale .local/share/epiphany .config/epiphany
  .local/share/qutebrowser .config/falkon .local/share/falkon .config/midori .local/share/midori .local/share/konqueror
  .cache/mozilla .cache/google-chrome .cache/chromium .cache/librewolf .cache/BraveSoftware .cache/microsoft-edge
  snap/firefox snap/chromium snap/brave snap/opera snap/vivaldi .var/app
  .password-store .local/share/keyrings .local/share/kwalletd .kde/share/apps/kwallet .kde4/share/apps/kwallet .pki
  .config/1Password .config/Bitwarden .config/keepassxc .config/Signal .config/Slack .config/discord .config/Element
  .local/share/TelegramDesktop .holdpoint ${ANNOUNCED}`);

/** The same on macOS, where names hold spaces; apps in a container of their own keep everything there. */
const OF_MACOS = [
  ...list("Keychains Cookies Safari Containers Mail Messages Accounts HTTPStorages Thunderbird"),
  ...list("Google Chromium Firefox BraveSoftware Vivaldi Arc Claude Cursor Windsurf Zed 1Password Bitwarden").map(
    (name) => `Application Support/${name}`,
  ),
  "Application Support/Microsoft Edge",
  "Application Support/com.operasoftware.Opera",
  "Application Support/Code/User/globalStorage",
  "Application Support/com.apple.TCC",
  "Group Containers",
].map((path) => `Library/${path}`);

/** What is read can leave through the model's provider; an approved command may need them. */
const CREDENTIALS = list(`
  .ssh .gnupg .aws .azure .kube .docker .terraform.d .terraformrc .config/gcloud .config/gh .config/hub .config/glab-cli
  .config/git/credentials .config/rclone .config/op .config/pip .netrc .git-credentials .npmrc .yarnrc .yarnrc.yml .pypirc
  .pgpass .my.cnf .vault-token .cargo/credentials .cargo/credentials.toml .gem/credentials .m2/settings.xml
  .gradle/gradle.properties .composer/auth.json .config/composer/auth.json .nuget/NuGet/NuGet.Config .s3cfg .boto
  .databrickscfg .snowsql .snowflake .config/snowflake .config/helm/registry .config/helm/repositories.yaml .subversion/auth
  .config/configstore .config/wrangler .config/io.datasette.llm .sentryclirc .bundle/config .minikube/profiles .minikube/certs
  .minikube/ca.key .minikube/proxy-client-ca.key .minikube/machines .config/argocd .argocd .aliyun .config/pypoetry/auth.toml
  .local/share/python_keyring .local/share/uv/credentials .config/scw .config/jfrog .jfrog .config/doppler .doppler .config/tea .config/sops .config/age .age .config/containers/auth.json .config/doctl .config/hcloud .config/linode-cli
  .config/ngrok .ngrok2 .cloudflared .config/.wrangler .wrangler .fly .config/heroku .config/netlify .config/stripe .config/vercel
  .local/share/com.vercel.cli .railway .supabase .oci .bluemix .pulumi/credentials.json .mc .dbt .kaggle .huggingface
  .cache/huggingface/token .config/wandb .config/solana .ethereum/keystore .bitcoin .electrum .authinfo .authinfo.gpg .msmtprc .mbsyncrc
  .fetchmailrc .config/himalaya .config/neomutt .mutt .muttrc .config/openvpn3 .openvpn .config/chatgpt .config/openai .config/anthropic
  .bash_history .zsh_history .sh_history .python_history .node_repl_history .psql_history .mysql_history .sqlite_history
  .local/share/fish/fish_history .config/fish/fish_history .local/share/atuin .config/nushell/history.txt .config/nushell/history.sqlite3
  .irb_history .rediscli_history .mongosh .dbshell .local/share/mycli .lesshst .viminfo .wget-hsts`);

/** What proves who everybody on this machine is. Only root reads these. */
const OF_THE_MACHINE = list(
  `/etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/security/opasswd /etc/krb5.keytab /etc/ssh/ssh_host_rsa_key
  /etc/ssh/ssh_host_ecdsa_key /etc/ssh/ssh_host_ed25519_key /etc/ssl/private /etc/letsencrypt /etc/wireguard /etc/openvpn /etc/ipsec.secrets
  /etc/ppp/chap-secrets /etc/ppp/pap-secrets /etc/NetworkManager/system-connections /etc/rancher /etc/kubernetes /var/lib/kubelet`,
);

/** Folders of sockets below the home folder. */
const SERVICES = list(".docker/run .docker/desktop .colima .lima .orbstack .rd .gnupg/S.gpg-agent .ssh/agent");

/** Variables that say where one of these is instead, and what of it counts. A list of places is split. */
const MOVED_PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  CLAUDE_CONFIG_DIR: ["."],
  CODEX_HOME: ["."],
  COPILOT_HOME: ["."],
  GEMINI_CLI_HOME: [".gemini"],
  PASSWORD_STORE_DIR: ["."],
};
const MOVED_CREDENTIALS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    list(`AWS_SHARED_CREDENTIALS_FILE AWS_CONFIG_FILE AWS_WEB_IDENTITY_TOKEN_FILE AZURE_CONFIG_DIR CLOUDSDK_CONFIG
      COMPOSER_AUTH_FILE DATABRICKS_CONFIG_FILE DOCKER_CONFIG GH_CONFIG_DIR GLAB_CONFIG_DIR GNUPGHOME
      GOOGLE_APPLICATION_CREDENTIALS HISTFILE KUBECONFIG NETRC NPM_CONFIG_USERCONFIG npm_config_userconfig
      PIP_CONFIG_FILE PGPASSFILE RCLONE_CONFIG TF_CLI_CONFIG_FILE VAULT_TOKEN_FILE`).map((name) => [name, ["."]]),
  ),
  CARGO_HOME: ["credentials", "credentials.toml"],
  COMPOSER_HOME: ["auth.json"],
  CURL_HOME: [".netrc", ".curlrc"],
  GRADLE_USER_HOME: ["gradle.properties"],
};
/** Folders of the home folder that are moved as a whole. */
const MOVED_FOLDERS: Readonly<Record<string, string>> = {
  XDG_CONFIG_HOME: ".config",
  XDG_DATA_HOME: ".local/share",
  XDG_CACHE_HOME: ".cache",
};

export type Person = { home: string; env?: NodeJS.ProcessEnv };

const PROGRAMS = [...AGENTS_AND_BROWSERS, ...OF_MACOS, ...SERVICES];

/** Of other agents, browsers and services of theirs. */
export const programFiles = (person: Person): string[] => [
  ...below(person, PROGRAMS),
  ...moved(person, MOVED_PROGRAMS),
  ...moved(person, { XDG_RUNTIME_DIR: ["."] }),
];

type Surroundings = Person & Pick<Parameters<typeof recognisedPlaces>[0], "own" | "within">;

/** The same where no list names them: known by what is in them. Looked at anew for each command. */
export const recognisedFiles = ({ home, env = process.env, ...rest }: Surroundings): string[] =>
  recognisedPlaces({
    homes: homesOf(home),
    moved: Object.keys(MOVED_FOLDERS).flatMap((name) => (isAbsolute(env[name] ?? "") ? [env[name] ?? ""] : [])),
    ...rest,
  });

/** What proves who they are. */
export const credentialFiles = (person: Person): string[] => [
  ...(process.getuid?.() === 0 ? OF_THE_MACHINE : []),
  ...below(person, CREDENTIALS),
  ...moved(person, MOVED_CREDENTIALS),
];

function moved({ env = process.env }: Person, table: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(table).flatMap(([name, parts]) =>
    (env[name] ?? "")
      .split(delimiter)
      .filter((path) => isAbsolute(path))
      .flatMap((path) => parts.map((part) => join(path, part)))
      .filter((path) => path !== "/"),
  );
}

function below({ home, env = process.env }: Person, paths: readonly string[]): string[] {
  const elsewhere = Object.entries(MOVED_FOLDERS).flatMap(([name, folder]) => {
    const now = env[name] ?? "";
    return isAbsolute(now) ? joined(now, paths, `${folder}/`) : [];
  });
  return [...homesOf(home).flatMap((folder) => joined(folder, paths)), ...elsewhere];
}

const JOINED_MAX = 256;
const remembered = new Map<string, readonly string[]>();

/** The paths as they lie in a folder, those that begin so and without that. Names only, so they are joined once: at each command it took a third of a millisecond. */
function joined(folder: string, paths: readonly string[], without = ""): readonly string[] {
  const key = `${paths === PROGRAMS ? "programs" : "credentials"} ${without} ${folder}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const inside = paths
    .filter((path) => path.startsWith(without))
    .map((path) => join(folder, path.slice(without.length)));
  if (remembered.size >= JOINED_MAX) remembered.clear();
  remembered.set(key, inside);
  return inside;
}

const HOMES_MAX = 64;

/** Where the person's files are: HOME may say something else, as it does in containers and under sudo. */
function homesOf(home: string): string[] {
  const homes = new Set([home]);
  try {
    homes.add(userInfo().homedir);
  } catch {
    // a user without an entry: HOME is all there is
  }
  if (process.getuid?.() === 0) for (const other of homesIn(passwords())) homes.add(other);
  return [...homes].slice(0, HOMES_MAX);
}

const PERSON_MIN = 1_000;
const PERSON_MAX = 59_999;

/** Of root and of people, not of services. */
export function homesIn(table: string): string[] {
  return table.split("\n").flatMap((line) => {
    const [, , id = "", , , folder = ""] = line.split(":");
    const isPerson = id === "0" || (Number(id) >= PERSON_MIN && Number(id) <= PERSON_MAX);
    return isPerson && isAbsolute(folder) && folder !== "/" ? [folder] : [];
  });
}

function passwords(): string {
  try {
    return readFileSync("/etc/passwd", "utf8");
  } catch {
    return "";
  }
}
