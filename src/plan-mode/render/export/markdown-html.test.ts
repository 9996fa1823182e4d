import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { markdownHtml } from "./markdown-html.ts";

const esc = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

it("[UI-14] reads headings, tables, code, lists and quotes, each line with what stands inside of it", () => {
  const text = [
    "## What is there",
    "Two **modules** call `charge()`.",
    "",
    "| Module | Calls |",
    "| --- | ---: |",
    "| `a.ts` | 2 |",
    "```ts",
    "if (a < b) **no**();",
    "```",
    "- one",
    "  1. inside",
    "> said",
  ].join("\n");
  expect(markdownHtml(text, esc)).toBe(
    [
      "<h4>What is there</h4>",
      '<p class="text">Two <strong>modules</strong> call <code>charge()</code>.</p>',
      '<div class="wide"><table><tr><th>Module</th><th>Calls</th></tr><tr><td><code>a.ts</code></td><td>2</td></tr></table></div>',
      '<pre><code><span class="keyword">if</span> (a &lt; b) **no**();</code></pre>',
      '<ul class="marked"><li class="d0"><span>•</span> one</li><li class="d1"><span>1.</span> inside</li></ul>',
      '<blockquote><p class="text">said</p></blockquote>',
    ].join(""),
  );
});

it("[UI-08] [UI-14] lets no tag, event or address of a hostile plan through", () => {
  const folder = resolve(import.meta.dirname, "../../../../test/corpora/plans");
  const { summary, analysis } = JSON.parse(readFileSync(resolve(folder, "05-hostile-markdown.json"), "utf8")) as {
    summary: string;
    analysis: string;
  };
  const html = markdownHtml(`${summary}\n\n${analysis}\n\n[x](javascript:alert(1)) <svg onload=alert(1)>`, esc);
  const tags = new Set([...html.matchAll(/<\/?([a-z0-9]+)/g)].map(([, tag]) => tag));
  const known = new Set("h3 h4 h5 h6 p ul li span div table tr th td pre code strong em del blockquote a".split(" ")); // no diagram in it
  expect([...tags].filter((tag) => tag === undefined || !known.has(tag))).toEqual([]);
  expect(html).not.toMatch(/<[^>]+\son\w+=|href="(?!https?:|mailto:)/);
});

it("[UI-14] draws a diagram on the page that runs nothing, with its source below", () => {
  const html = markdownHtml("```mermaid\nsequenceDiagram\n  Ann->>Ben: <b>hi</b>\n```", esc);
  expect(html).toMatch(/^<figure class="diagram"><div class="wide"><svg [^>]*viewBox="[^"]*"[^>]*>/);
  expect(html).toContain("Ann-&gt;&gt;Ben: &lt;b>hi&lt;/b>".replaceAll("-&gt;&gt;", "->>"));
  expect(html).not.toMatch(/<b>|style=|<script/);
  expect(markdownHtml("```mermaid\npie\n```", esc)).toBe("<pre><code>pie</code></pre>");
});
