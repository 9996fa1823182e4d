/** One measured figure, beside the reference that was measured in the same run where there is one. */
export type Figure = { name: string; value: number; unit: string; reference?: number; ratio?: number };

export type BenchOptions = { cycles: number; seed: number };
/** A group measures and reports each figure as soon as it is known. */
export type Group = (report: (figure: Figure) => void, options: BenchOptions) => Promise<void>;

const DIGITS = 4;
const tidy = (value: number): number => Number(value.toPrecision(DIGITS));

export function figure(name: string, value: number, unit: string): Figure {
  return { name, value: tidy(value), unit };
}

/** `ratio` is value over reference, whichever of the two is better. */
export function against(reference: number, made: Figure): Figure {
  return { ...made, reference: tidy(reference), ratio: tidy(made.value / reference) };
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 50);
