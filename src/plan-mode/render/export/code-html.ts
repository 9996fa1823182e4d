/** A fenced block of a plan as HTML: code in colours, a diagram drawn with its source below, anything else as it is. */
import hljs from "highlight.js/lib/common";
import { drawDiagram } from "../../../protocol/diagram/diagram.ts";
import { svgText } from "../../../protocol/diagram/svg-tree.ts";
import { colouredCode } from "../../../protocol/text/coloured-code.ts";

type Escape = (text: string) => string;

export function codeHtml(code: string, language: string, esc: Escape): string {
  const parts = language === "" ? undefined : colouredCode(code, language, hljs);
  const words = parts?.map(({ text, kind }) =>
    kind === undefined ? esc(text) : `<span class="${kind}">${esc(text)}</span>`,
  );
  const source = `<pre><code>${words?.join("") ?? esc(code)}</code></pre>`;
  const drawing = language === "mermaid" ? drawDiagram(code) : undefined;
  if (drawing === undefined) return source;
  const svg = svgText(drawing, esc);
  return `<figure class="diagram"><div class="wide">${svg}</div><details><summary>Source</summary>${source}</details></figure>`;
}

/** Colours that read on a light and on a dark ground. */
export const CODE_STYLE = [
  ".keyword{color:light-dark(#3450c4,#a3b6ff)}.string{color:light-dark(#176236,#86d6a1)}.number{color:light-dark(#7f4b00,#f3c374)}",
  ".comment,.meta{color:light-dark(#5a5d63,#a4a8b0)}.name{color:light-dark(#273c99,#c0cdff)}",
  ".added{color:light-dark(#176236,#86d6a1)}.removed{color:light-dark(#a8231b,#ffa59c)}",
  ".diagram{margin:.5rem 0;border:1px solid #8888;border-radius:.4rem}.diagram .wide{padding:.5rem}.diagram details{padding:0 .75rem}",
  "svg{display:block;margin:auto;font:13px system-ui,sans-serif}svg :is(rect,path,circle){fill:none;stroke:#888;stroke-width:1.25}",
  "svg .node>:is(rect,path,circle),svg :is(.party,.tab){fill:light-dark(#efefec,#26282c)}svg .node>.rim{fill:none}svg :is(.group,.frame){stroke-dasharray:4 3}",
  "svg .note{fill:light-dark(#fff1d6,#33270f);stroke:light-dark(#7f4b00,#f3c374)}svg .ground{fill:Canvas;stroke:none}svg .life{stroke:#8886}",
  "svg .line.dotted{stroke-dasharray:5 4}svg .line.thick{stroke-width:2.5}svg :is(.head,.dot){fill:#888;stroke:none}svg text{fill:CanvasText;stroke:none}svg .title{font-weight:600}",
].join("");
