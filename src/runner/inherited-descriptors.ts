/**
 * Descriptors that whoever started this process left open. Node marks the first ones so that no program inherits them;
 * behind a gap they reach every program that it starts, a sandboxed one too, and with them whatever they are open on.
 */
import { closeSync, readdirSync, readFileSync } from "node:fs";

const OWN = "/proc/self/fd";
const STANDARD_ERROR = 2;
const CLOSED_ON_EXEC = 0o2000000;

/** For the start of a process, before anything else opened descriptors on purpose. Returns those that were closed. */
export const closeInherited = (): number[] => inheritedDescriptors().filter(closed);

/** Those that a program would get which this process starts. */
export const inheritedDescriptors = (): number[] =>
  openDescriptors().filter((descriptor) => descriptor > STANDARD_ERROR && isInheritable(descriptor));

function openDescriptors(): number[] {
  try {
    return readdirSync(OWN).map(Number);
  } catch {
    return []; // not Linux
  }
}

function isInheritable(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`${OWN}info/${descriptor}`, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) === 0;
  } catch {
    return false; // the one that listed them is closed again
  }
}

function closed(descriptor: number): boolean {
  try {
    closeSync(descriptor);
    return true;
  } catch {
    return false;
  }
}
