/** The one Chromium of this test run, as this worker sees it. */
import { type Browser, chromium } from "playwright-core";
import { inject } from "vitest";
import type { ChromiumAnswer } from "../kit/global-setup.ts";

type Chromium = { browser: Browser; pageHome: string };

let connecting: Promise<Chromium | undefined> | undefined;

/** Undefined where it cannot be started; says why on the error output. */
export function chromiumHere(): Promise<Chromium | undefined> {
  connecting ??= connect();
  return connecting;
}

async function connect(): Promise<Chromium | undefined> {
  const answer = (await (await fetch(inject("chromiumDoor"))).json()) as ChromiumAnswer;
  if ("endpoint" in answer) return { browser: await chromium.connect(answer.endpoint), pageHome: answer.pageHome };
  process.stderr.write(`browser tests are skipped: ${answer.unavailable.split("\n", 1)[0]}\n`);
  return undefined;
}
