/** What a person did in a session besides writing, as a row of the conversation. */
import type { IconName } from "../../parts/icon.ts";

export type TalkEvent = {
  key: string;
  /** The entry of the transcript behind which it stands. */
  afterN: number;
  atMs: number;
  icon: IconName;
  tone: "" | "good" | "bad" | "waiting" | "accent";
  title: string;
  text: string;
};
