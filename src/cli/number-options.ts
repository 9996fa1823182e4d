/** Numbers in options of the command line: read strictly, refused with what is expected. */
import { InvalidArgumentError } from "commander";

export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("Expected a whole number from 0.");
  return Number(text);
}

export function count(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError("Expected a whole number from 1 to 9999.");
  return Number(text);
}

export function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new InvalidArgumentError("Expected a whole number from 0 to 65535.");
  return port;
}
