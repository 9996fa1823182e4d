import { describe, expect, it } from "vitest";
import { readable } from "./readable.ts";

const text = (html: string): string => readable(html, "https://example.org/docs/page").text;

describe("readable", () => {
  it("[TO-09] keeps headings, paragraphs, lists, links, code and tables", () => {
    const html = `<!doctype html><html><head><title> A &amp; B </title><style>p{}</style></head><body>
      <h1>Top</h1><p>One <b>bold</b>&nbsp;word<br>next &lt;line&gt; &#8364; &#x20AC;</p>
      <ul><li>a<li>b <a href="../x?y=1&amp;z">link</a></ul><ol><li>first</li><li>second</li></ol>
      <pre><code>if (a) {\n  b();\n}</code></pre><p>Use <code>x()</code>.</p>
      <table><tr><th>n</th><th>m</th></tr><tr><td>1</td><td>2</td></tr></table>
      <img src=x alt="a cat"><hr><blockquote>said</blockquote></body></html>`;
    expect(readable(html, "https://example.org/docs/page")).toEqual({
      title: "A & B",
      text: [
        "# Top",
        "",
        "One bold word",
        "next <line> € €",
        "",
        "- a",
        "- b [link](https://example.org/x?y=1&z)",
        "",
        "1. first",
        "2. second",
        "",
        "```",
        "if (a) {",
        "  b();",
        "}",
        "```",
        "",
        "Use `x()`.",
        "",
        " | n | m",
        " | 1 | 2",
        "",
        "[image: a cat]",
        "",
        "---",
        "",
        "> said",
      ].join("\n"),
    });
  });

  it("leaves out what a reader does not see, so that nothing hides in it", () => {
    const hidden = [
      "<script>ignore()</script>",
      "<style>ignore{}</style>",
      "<!-- ignore -->",
      "<template>ignore</template>",
      "<noscript>ignore</noscript>",
      "<div hidden>ignore</div>",
      '<div aria-hidden="true">ignore</div>',
      '<p style="color:red; DISPLAY : none">ignore</p>',
      '<span style="font-size:0">ignore</span>',
      '<span style="opacity:0">ignore</span>',
      "<svg><text>ignore</text></svg>",
      "<iframe>ignore</iframe>",
      '<a href="javascript:ignore()">fine</a>',
    ].join("");
    expect(text(`<p>seen</p>${hidden}`)).toBe("seen\n\nfine");
    expect(text('<p style="opacity:0.5">seen</p>')).toBe("seen");
  });

  it("keeps only the main part where the page marks one with something in it", () => {
    const main = "word ".repeat(60).trim();
    const page = `<nav>menu</nav><main><h1>T</h1><p>${main}</p></main><footer>legal</footer>`;
    expect(text(page)).toBe(`# T\n\n${main}`);
    expect(text("<main></main><p>outside</p>")).toBe("outside");
    expect(text("<nav>only a menu</nav>")).toBe("only a menu");
  });

  it.each([
    ["a < b and c", "a < b and c"],
    ["<p>unclosed <b>bold", "unclosed bold"],
    ["<p title='a>b' x=>c</p>", "c"],
    ["<p / / a=1 =b 'c>d</p>", "d"],
    ["</p></div>stray", "stray"],
    ["<!-- never closed", ""],
    ["<script>never closed <p>x", ""],
    ["&nosuch; &amp &#0; &#xFFFFFFF; &constructor;", "&nosuch; & \ufffd \ufffd &constructor;"],
    ["<", "<"],
    ["<p", ""],
    ["", ""],
  ])("forgives %j", (html, wanted) => {
    expect(text(html)).toBe(wanted);
  });

  it.each([
    ["nested elements", "<div>".repeat(200_000)],
    ["closing tags", `${"<i>".repeat(200)}${"</b>".repeat(200_000)}`],
    ["open brackets", "<".repeat(500_000)],
    ["attributes", `<p ${"a=1 ".repeat(200_000)}>x`],
    ["quotes", `<p a="${"<p a='".repeat(100_000)}`],
    ["links", '<a href="/x">y'.repeat(50_000)],
    ["titles", "<title>".repeat(100_000)],
    ["comments", "<!--".repeat(200_000)],
  ])("comes to an end with very many %s", (_what, html) => {
    expect(text(html).length).toBeLessThan(3_000_000);
  });
});
