/** Lines of IRC: read with their tags, and written so that nothing in them can begin another. */

/** With what the server puts in front of it a line must not be longer than 512 bytes. */
const TEXT_BYTES_MAX = 400;

export type IrcLine = {
  tags: ReadonlyMap<string, string>;
  /** The nick, or the server. */
  source: string;
  command: string;
  params: string[];
};

const LINE = /^(?:@(\S+) +)?(?::(\S+) +)?(\S+)(.*)$/s;
const ESCAPES: Readonly<Record<string, string>> = { "\\:": ";", "\\s": " ", "\\\\": "\\", "\\r": "\r", "\\n": "\n" };

export function parseLine(line: string): IrcLine | undefined {
  const [, tags = "", source = "", command, rest = ""] = LINE.exec(line) ?? [];
  if (command === undefined) return undefined;
  const at = rest.indexOf(" :");
  const [middle, trailing] = at === -1 ? [rest, []] : [rest.slice(0, at), [rest.slice(at + 2)]];
  return {
    tags: new Map(tags === "" ? [] : tags.split(";").map(tagOf)),
    source: source.split("!")[0] ?? "",
    command: command.toUpperCase(),
    params: [...middle.split(" ").filter((part) => part !== ""), ...trailing],
  };
}

const tagOf = (tag: string): [string, string] => {
  const at = tag.indexOf("=");
  if (at === -1) return [tag, ""];
  return [tag.slice(0, at), tag.slice(at + 1).replace(/\\[:s\\rn]/g, (escape) => ESCAPES[escape] ?? "")];
};

/** A text as lines that each fit; never half a character. */
export function textLines(text: string): string[] {
  const clean = text.replaceAll("\0", "").replaceAll("\r", "");
  return clean.split("\n").flatMap((line) => (line.trim() === "" ? [] : cut(line)));
}

function cut(line: string): string[] {
  const parts: string[] = [];
  let part = "";
  for (const char of line) {
    if (Buffer.byteLength(part) + Buffer.byteLength(char) > TEXT_BYTES_MAX) {
      parts.push(part);
      part = "";
    }
    part += char;
  }
  return [...parts, part];
}

const TARGET = /^[^\s,:][^\s,]{0,63}$/;

/** A nick or a channel, and nothing that could be read as more. */
export const isTarget = (name: string): boolean =>
  TARGET.test(name) && Array.from(name).every((char) => (char.codePointAt(0) ?? 0) > 0x20);
export const isChannel = (name: string): boolean => /^[#&]/.test(name);
