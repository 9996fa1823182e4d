import { close, open, url } from "node:inspector";
import { afterEach, expect, it } from "vitest";
import { closeInspector } from "./close-inspector.ts";

afterEach(() => url() === undefined || close());

it("[GW-04] closes a debugger that nobody asked for, and leaves one that somebody did", () => {
  open(0, "127.0.0.1");
  closeInspector({ execArgv: ["--inspect-brk=0"], env: {} });
  closeInspector({ execArgv: [], env: { NODE_OPTIONS: "--max-old-space-size=100 --inspect" } });
  expect(url()).toMatch(/^ws:/);
  closeInspector({ execArgv: ["--disable-sigusr1"], env: {} });
  expect(url()).toBeUndefined();
});
