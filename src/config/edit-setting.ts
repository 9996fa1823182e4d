/**
 * One value of the file at a time, comments and order kept. The result is checked before it is written: a bad value
 * changes nothing.
 */
import type { Document } from "yaml";
import { isCollection } from "yaml";
import type { Json } from "../protocol/json.ts";
import { writeAtomically } from "./atomic-write.ts";
import { ConfigError, TYPED_PATH } from "./config-error.ts";
import { isKnown, isList } from "./expectation.ts";
import { FIRST_CONFIG } from "./first-start.ts";
import { readConfigText } from "./load.ts";
import { parseConfig, unknownName } from "./parse.ts";
import type { Config } from "./config.ts";
import { isMasked } from "./secrets.ts";

type Key = string | number;

/** `a.b.0.c` → its keys, checked against the schema: a path that no setting can have is an error that names a near one. */
export function settingPath(dotted: string): Key[] {
  const parts = dotted.split(".");
  if (parts.some((part) => part === "")) throw atPath(dotted, `"${dotted}" is no path. Write it like gateway.port.`);
  const keys: Key[] = [];
  for (const part of parts) {
    const next = isList(keys) && /^\d{1,4}$/.test(part) ? Number(part) : part;
    if (!isKnown([...keys, next])) throw atPath(dotted, unknownKey(keys, part));
    keys.push(next);
  }
  return keys;
}

function unknownKey(parent: Key[], part: string): string {
  if (!isList(parent)) return unknownName(parent, part);
  return `${parent.join(".")} is a list: name its places by number, from 0. Not by "${part}".`;
}

export async function setSetting(file: string, dotted: string, value: Json): Promise<Config> {
  return rewrite(file, setting(dotted, value));
}

/** The configuration as it would be with this value; nothing is written. */
export async function trySetting(file: string, dotted: string, value: Json): Promise<Config> {
  return (await changed(file, setting(dotted, value))).config;
}

/** The same without it. */
export async function tryWithout(file: string, dotted: string): Promise<Config> {
  return (await changed(file, removal(dotted))).config;
}

/** `list[]` is one more place at the end of the list. */
const ONE_MORE = "[]";

/** The setting that a path to set names: the whole list, where one more place is asked for. */
export function settingToSet(dotted: string): string {
  if (!dotted.endsWith(ONE_MORE)) return dotted;
  const list = dotted.slice(0, -ONE_MORE.length);
  if (isList(settingPath(list))) return list;
  throw atPath(dotted, `${list} is no list: nothing can be added to it. Set it as ${list}.`);
}

function setting(dotted: string, value: Json): (document: Document) => void {
  const whole = settingToSet(dotted);
  const given = settingPath(whole);
  if (isMasked(value)) throw atPath(dotted, `${dotted} is shown with its secret hidden. Set it with the real value.`);
  return (document) => {
    const keys = whole === dotted ? given : [...given, lengthAt(document, given)];
    refuseGap(document, keys, dotted);
    document.setIn(keys, typeof value === "object" ? document.createNode(value) : value);
  };
}

/** Removing what is not there is no error: the default holds already. */
export const unsetSetting = async (file: string, dotted: string): Promise<Config> => rewrite(file, removal(dotted));

function removal(dotted: string): (document: Document) => void {
  const keys = settingPath(dotted);
  return (document) => {
    if (document.getIn(keys, true) === undefined) return;
    document.deleteIn(keys);
    dropEmptyParents(document, keys);
  };
}

async function rewrite(file: string, change: (document: Document) => void): Promise<Config> {
  const { before, after, config } = await changed(file, change);
  if (after !== before) await write(file, after);
  return config;
}

async function changed(file: string, change: (document: Document) => void) {
  const before = await readConfigText(file);
  // where there is none yet, what a first start writes: a file that holds one value alone would leave plan mode off
  const { document } = parseConfig(before ?? FIRST_CONFIG, file);
  change(document);
  const after = document.toString({ lineWidth: 0 });
  const { config } = parseConfig(after, file); // what will be read is what was checked
  return { before, after, config };
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeAtomically(file, text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The file cannot be written (${reason}). It is unchanged; make room or correct its rights.`;
    throw new ConfigError([{ source: file, line: null, column: null, path: "", message }], { cause });
  }
}

/** A list grows by one at its end: a gap would be filled with nothing, silently. */
function refuseGap(document: Document, keys: readonly Key[], dotted: string): void {
  for (const [index, key] of keys.entries()) {
    if (typeof key !== "number") continue;
    const length = lengthAt(document, keys.slice(0, index));
    if (key > length)
      throw atPath(dotted, `${keys.slice(0, index).join(".")} has ${length} places. Use ${length} to add one.`);
  }
}

function lengthAt(document: Document, keys: readonly Key[]): number {
  const list: unknown = document.getIn(keys, true);
  return isCollection(list) ? list.items.length : 0;
}

/** Takes away the sections that stood only for the value; one that carries a comment stays for its reader. */
function dropEmptyParents(document: Document, keys: readonly Key[]): void {
  for (let length = keys.length - 1; length > 0; length -= 1) {
    const parent: unknown = document.getIn(keys.slice(0, length), true);
    if (!isCollection(parent) || parent.items.length > 0 || typeof keys[length - 1] === "number") return;
    if (parent.comment || parent.commentBefore) return;
    document.deleteIn(keys.slice(0, length));
  }
}

function atPath(path: string, message: string): ConfigError {
  return new ConfigError([{ source: TYPED_PATH, line: null, column: null, path, message }]);
}
