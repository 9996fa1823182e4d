/** What a server process gets to know of the gateway's environment: what every program needs, and what is listed for it. */

/** No deny-list can name every secret; this is the other way round. */
const EVERYBODYS = new Set(
  "PATH HOME USER LOGNAME SHELL TERM LANG LANGUAGE TZ TMPDIR TMP TEMP XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_RUNTIME_DIR SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES SYSTEMDRIVE SYSTEMROOT USERNAME USERPROFILE HOMEDRIVE HOMEPATH PATHEXT COMSPEC WINDIR".split(
    " ",
  ),
);
const OWN = /^HOLDPOINT_/i;

export type Environment = Readonly<Record<string, string | undefined>>;

export function serverEnvironment(from: Environment, listed: Readonly<Record<string, string>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of [...Object.entries(from).filter(isEverybodys), ...Object.entries(listed)]) {
    if (value !== undefined && !OWN.test(name)) kept[name] = value;
  }
  return kept;
}

const isEverybodys = ([name]: [string, string | undefined]): boolean =>
  EVERYBODYS.has(name.toUpperCase()) || name.startsWith("LC_");
