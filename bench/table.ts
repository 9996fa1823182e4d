/** Figures as lines: columns for a terminal, a table of Markdown for the README, or JSON. */
import type { Figure } from "./figure.ts";

const WIDTHS = { name: 52, value: 12, unit: 8, reference: 12 };

export type Form = "columns" | "markdown" | "json";
type Lines = { head: readonly string[]; row(figure: Figure): string };

export const TABLES: Readonly<Record<Form, Lines>> = {
  columns: { head: [columns("figure", ["", "unit", "reference", "ratio"])], row: columnRow },
  markdown: {
    head: ["| figure | seen | reference in the same run | ratio |", "| --- | --- | --- | --- |"],
    row: markdownRow,
  },
  json: { head: [], row: (figure) => JSON.stringify(figure) },
};

function columnRow({ name, value, unit, reference, ratio }: Figure): string {
  const beside = reference === undefined ? [] : [String(reference), `× ${ratio}`];
  return columns(name, [String(value), unit, ...beside]);
}

function columns(name: string, [value = "", unit = "", reference, ratio]: readonly string[]): string {
  const cells = [name.padEnd(WIDTHS.name), value.padStart(WIDTHS.value), unit.padEnd(WIDTHS.unit)];
  const beside = reference === undefined ? [] : [reference.padStart(WIDTHS.reference), ratio ?? ""];
  return [...cells, ...beside].join("  ");
}

function markdownRow({ name, value, unit, reference, ratio }: Figure): string {
  const seen = (number: number): string =>
    `${number.toLocaleString("en", { maximumSignificantDigits: 4 })} ${unit}`.trim();
  const cells = [
    name,
    seen(value),
    reference === undefined ? "–" : seen(reference),
    ratio === undefined ? "–" : `× ${ratio}`,
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}
