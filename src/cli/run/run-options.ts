/** What a person says when they start a kept program. */
export type RunOptions = {
  workspace?: string;
  writable?: string[];
  network?: string;
  modelHost?: string[];
  host?: string[];
};
