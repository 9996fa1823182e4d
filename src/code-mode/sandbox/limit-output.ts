/** Output together with the value stays within the limit; where something is missing a last line says how much. */
import type { OutputItem } from "./sandbox.ts";

export type OutputLimits = { cutChars: number; bytesMax: number; valueJson: string };
export type LimitedOutput = { output: OutputItem[]; charsCut: number };

const marker = (chars: number): OutputItem => ({ type: "text", text: `[output cut: ${chars} more characters]` });
const sizeOf = (item: OutputItem): number => Buffer.byteLength(JSON.stringify(item));

export function limitOutput(items: readonly OutputItem[], limits: OutputLimits): LimitedOutput {
  const { cutChars, bytesMax, valueJson } = limits;
  const sizes = items.map(sizeOf);
  const whole = sizes.reduce((sum, size) => sum + size, 0) + Buffer.byteLength(valueJson);
  if (cutChars === 0 && whole <= bytesMax) return { output: [...items], charsCut: 0 };
  let room = bytesMax - Buffer.byteLength(valueJson) - sizeOf(marker(Number.MAX_SAFE_INTEGER));
  const kept: OutputItem[] = [];
  let charsCut = cutChars;
  for (const [index, item] of items.entries()) {
    room -= sizes[index] ?? 0;
    if (room >= 0) kept.push(item);
    else charsCut += item.type === "text" ? item.text.length : JSON.stringify(item.value).length;
  }
  if (charsCut === 0) return { output: kept, charsCut };
  return { output: room + bytesMax < 0 && kept.length === 0 ? [] : [...kept, marker(charsCut)], charsCut };
}
