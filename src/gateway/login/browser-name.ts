/** A name by which people recognise their browser in a list. What a browser calls itself is used for nothing else. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];
const USER_AGENT_CHARS_MAX = 512;

export function browserName(userAgent: string): string {
  const text = userAgent.slice(0, USER_AGENT_CHARS_MAX);
  const nameIn = (list: readonly [RegExp, string][]): string | undefined => list.find(([is]) => is.test(text))?.[1];
  const browser = nameIn(BROWSERS) ?? "Browser";
  const system = nameIn(SYSTEMS);
  return system === undefined ? browser : `${browser} (${system})`;
}
