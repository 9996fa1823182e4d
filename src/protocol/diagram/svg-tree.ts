/**
 * A drawing as plain data, so that the page makes elements of it and the share page writes text, each in its own safe way.
 * Colours are the reader's: a class says what a thing is, and no style is written.
 */

export type SvgShape = {
  tag: "svg" | "g" | "path" | "rect" | "circle" | "text";
  attrs: Readonly<Record<string, string | number>>;
  inside: readonly (SvgShape | string)[];
};

export const shape = (
  tag: SvgShape["tag"],
  attrs: SvgShape["attrs"],
  ...inside: readonly (SvgShape | string)[]
): SvgShape => ({ tag, attrs, inside });

/** `esc` escapes what a diagram says; names of tags and attributes are our own. */
export function svgText(node: SvgShape | string, esc: (text: string) => string): string {
  if (typeof node === "string") return esc(node);
  const attrs = Object.entries(node.attrs).map(([name, value]) => ` ${name}="${esc(String(value))}"`);
  return `<${node.tag}${attrs.join("")}>${node.inside.map((part) => svgText(part, esc)).join("")}</${node.tag}>`;
}

/** One path out of a few numbers; a tenth of a pixel is fine enough. */
export const d = (...parts: readonly (string | number)[]): string =>
  parts.map((part) => (typeof part === "number" ? Math.round(part * 10) / 10 : part)).join(" ");
