/** Loaded into a gateway's process before anything else: its wall clock is as wrong as a file says, from moment to moment. */
import { readFileSync } from "node:fs";

const FILE = process.env["HOLDPOINT_CLOCK_FILE"] ?? "";
const LOOK_EVERY_MS = 20;
const RealDate = Date;

let aheadMs = 0;
let lookedAtMs = -Infinity;

function now(): number {
  if (performance.now() - lookedAtMs > LOOK_EVERY_MS) {
    lookedAtMs = performance.now();
    aheadMs = Number(readFileSync(FILE, "utf8"));
  }
  return RealDate.now() + aheadMs;
}

class WrongDate extends RealDate {
  constructor(...given: [] | ConstructorParameters<DateConstructor>) {
    if (given.length === 0) super(now());
    else super(...given);
  }
  static override now(): number {
    return now();
  }
}

globalThis.Date = WrongDate as DateConstructor;
