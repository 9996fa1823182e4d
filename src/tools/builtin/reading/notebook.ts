/** A Jupyter notebook as text: its cells in order, with what they printed. Pictures in it are named, not shown. */
import { z } from "zod";

const OUTPUT_CHARS_MAX = 2_000;
const CELLS_MAX = 2_000;

const Text = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join(""))]);
const Output = z.object({
  output_type: z.string(),
  text: Text.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  ename: z.string().optional(),
  evalue: z.string().optional(),
});
const Notebook = z.object({
  cells: z
    .array(z.object({ cell_type: z.string(), source: Text, outputs: z.array(Output).default([]) }))
    .max(CELLS_MAX),
});

/** Undefined when the text is no notebook. */
export function notebookText(json: string): string | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    return undefined;
  }
  const notebook = Notebook.safeParse(parsed);
  if (!notebook.success) return undefined;
  return notebook.data.cells
    .map(({ cell_type, source, outputs }, index) =>
      [`[cell ${index}: ${cell_type}]`, source.trimEnd(), ...outputs.map((output) => `[output]\n${said(output)}`)].join(
        "\n",
      ),
    )
    .join("\n\n")
    .concat("\n");
}

function said({ text, data, ename, evalue }: z.infer<typeof Output>): string {
  if (ename !== undefined) return `${ename}: ${evalue ?? ""}`;
  const plain = Text.safeParse(text ?? data?.["text/plain"]);
  if (plain.success) return cut(plain.data.trimEnd());
  return `(${Object.keys(data ?? {}).join(", ") || "nothing"})`;
}

const cut = (text: string): string =>
  text.length <= OUTPUT_CHARS_MAX ? text : `${text.slice(0, OUTPUT_CHARS_MAX).toWellFormed()}[… cut]`;
