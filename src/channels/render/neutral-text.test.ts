import { describe, expect, it } from "vitest";
import type { Format } from "../port.ts";
import { neutral } from "./neutral-text.ts";

const FORMATS = ["html", "mrkdwn", "markdown", "plain"] as const satisfies readonly Format[];
const JOINER = "\u2060";
const ZERO_WIDTH = "\u200b";

describe("text of an agent or a person on a channel", () => {
  it.each(FORMATS)("[CH-05] calls nobody, in %s", (format) => {
    for (const name of ["everyone", "here", "channel", "all", "room", "team", "group", "EVERYONE", "Here"]) {
      expect(neutral(`hey @${name}`, format)).toBe(`hey ﹫${name}`);
      expect(neutral(`mail@${name}`, format)).toBe(`mail﹫${name}`); // some vendors read it in the middle of a word
    }
    expect(neutral("@bob, (@ann) and @7", format).replaceAll("\\", "")).toBe("﹫bob, (﹫ann) and ﹫7");
    expect(neutral("a@b.c é@b 7@b", format)).toBe("a@b.c é@b 7@b"); // an address is none
    // Telegram and Mattermost read a mention behind these
    expect(neutral("x%@b x+@b x-@b .@b", format)).toBe("x%﹫b x+﹫b x-﹫b .﹫b");
    expect(neutral("x @ y", format)).toBe("x @ y");
    expect(neutral("x@allan", format)).toBe("x@allan");
    expect(neutral("x@roomy x@teams x@groups", format)).toBe("x@roomy x@teams x@groups");
  });

  it.each(FORMATS)("[UI-08, CH-05] hides nothing, in %s", (format) => {
    expect(neutral("a\u202eb\u200bc", format)).toBe("a‹U+202E›b‹U+200B›c");
    expect(neutral("@\u200beveryone", format)).toBe("@‹U+200B›everyone");
  });

  it("[CH-05] in HTML nothing opens a tag or an entity, and no command or tag is a link", () => {
    expect(neutral(`<b> & "x" 'y'`, "html")).toBe("&lt;b&gt; &amp; &quot;x&quot; 'y'");
    expect(neutral("/start #tag (/stop) #7", "html")).toBe(
      `/${JOINER}start #${JOINER}tag (/${JOINER}stop) #${JOINER}7`,
    );
    expect(neutral("a/b a#b 1/2 // /- # x.y/#z", "html")).toBe("a/b a#b 1/2 // /- # x.y/#z");
    expect(neutral("&/x /#y &#z", "html")).toBe(`&amp;/${JOINER}x /#${JOINER}y &amp;#${JOINER}z`);
    expect(neutral("*a* _b_ `c` ~d~ [e](f)", "html")).toBe("*a* _b_ `c` ~d~ [e](f)");
  });

  it("[CH-05] in Slack's markup no sign means anything", () => {
    expect(neutral("*a* ~b~ `c`", "mrkdwn")).toBe("∗a∗ ∼b∼ ˋcˋ");
    expect(neutral("_a_ snake_case _ __b c__d", "mrkdwn")).toBe("＿a_ snake_case ＿ ＿＿b c＿＿d");
    expect(neutral("plan_id=pln_-Zx_", "mrkdwn")).toBe("plan_id=pln_-Zx_"); // ids can be copied
    expect(neutral("> a\n >> b\nc > d", "mrkdwn")).toBe("› a\n ›› b\nc &gt; d");
    expect(neutral(":smile: a:b 12:30:45 :+1: ::", "mrkdwn")).toBe(
      `:${JOINER}smile: a:b 12:${JOINER}30:45 :${JOINER}+1: ::`,
    );
    expect(neutral("<!here> <@U1> a & b", "mrkdwn")).toBe("&lt;!here&gt; &lt;@U1&gt; a &amp; b".replace("@U1", "﹫U1"));
  });

  it("[CH-05] in Markdown every sign is escaped, also at the beginning of a line", () => {
    for (const sign of Array.from("`*_{}[]()>|")) expect(neutral(`a${sign}b`, "markdown")).toBe(`a\\${sign}b`);
    for (const sign of ["#", "~"]) expect(neutral(`a${sign}b`, "markdown")).toBe(`a\\${sign}${JOINER}b`);
    // before a letter it escapes nothing, and Mattermost would show both of two
    expect(neutral("C:\\new \\* \\", "markdown")).toBe("C:\\new \\\\\\* \\\\");
    expect(neutral("<b>", "markdown")).toBe(`<${ZERO_WIDTH}b\\>`);
    expect(neutral("- a\n  + b\n\t= c\nd - e", "markdown")).toBe(`\\- a\n${JOINER}  \\+ b\n${JOINER}\t= c\nd - e`);
    expect(neutral("1. a\n 23) b\nc 4. d\n\t56. e", "markdown")).toBe(
      `1\\. a\n${JOINER} 23\\) b\nc 4. d\n${JOINER}\t56\\. e`,
    );
    expect(neutral("https://a.example/b", "markdown")).toBe("https://a.example/b");
    expect(neutral("https://a.example/b_c", "markdown")).toBe(`https:${JOINER}//a.example/b\\_c`);
    expect(neutral(":smile:", "markdown")).toBe(`:${JOINER}smile:`);
    expect(neutral("a & b 'c'", "markdown")).toBe("a & b 'c'");
  });

  it("[CH-05] in plain text no line is a command and no bracket a call", () => {
    expect(neutral("/quit\n!bang\na /b !c\n/ x", "plain")).toBe(`/${JOINER}quit\n!${JOINER}bang\na /b !c\n/ x`);
    for (const call of [
      "<@!1>",
      "<@&1>",
      "<!here>",
      "<#C1>",
      "<&1>",
      "<:a:1>",
      "</cmd:1>",
      "<https://x>",
      "<mention id>",
      "<B x>",
    ])
      expect(neutral(call, "plain")).toBe(`<${ZERO_WIDTH}${call.slice(1)}`);
    expect(neutral("<@U1>", "plain")).toBe("<﹫U1>");
    expect(neutral("a < b, <3, <b>, *x* _y_ `z`", "plain")).toBe("a < b, <3, <b>, *x* _y_ `z`");
  });
});
