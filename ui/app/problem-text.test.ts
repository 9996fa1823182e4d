import { beforeEach, expect, it } from "vitest";
import { HoldpointError } from "../../src/client/holdpoint-error.ts";
import { speak } from "../i18n/t.ts";
import { tellProblem } from "./app.ts";
import { createNotices } from "./notices.ts";

beforeEach(() => speak(["en"]));

it("[UI-08] the gateway's sentences may repeat a stranger's words: nothing in them stays hidden", async () => {
  const notices = createNotices();
  await tellProblem(notices, new HoldpointError({ code: "COMMAND_USAGE", message: "No \u202Eecila here." }));
  notices.tell("Saved \u200Bas x");
  expect(notices.get().map(({ text }) => text)).toEqual(["No ‹U+202E›ecila here.", "Saved ‹U+200B›as x"]);
});

it("[UI-06] the first problem brings its texts along, and the gateway's own words beneath them", async () => {
  await speak(["de"]);
  const notices = createNotices();
  const error = new HoldpointError({ code: "COMMAND_USAGE", message: "Say /plan auto on." });
  await tellProblem(notices, error);
  await tellProblem(notices, error);
  expect(notices.get()).toEqual([
    {
      id: 2,
      kind: "bad",
      text: "Der Befehl wird anders geschrieben.",
      isEnglish: false,
      detail: "Say /plan auto on.",
    },
  ]);
});
