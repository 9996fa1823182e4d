/**
 * A program of the same user that exchanges folders and files of the workspace for links into the gateway's folder and
 * back, as fast as it can, until it is ended: what an approved command may have left running.
 */
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [workspace = "", state = ""] = process.argv.slice(2);
const ROUNDS_AT_ONCE = 100;
const inside = (name: string): string => join(workspace, name);

mkdirSync(inside("real"), { recursive: true });
mkdirSync(inside("deep/er"), { recursive: true });
writeFileSync(inside("real/canary.txt"), "nothing secret\n");
writeFileSync(inside("real/config.yaml"), "enabled: true\n");
let count = 0;

/** One link takes the place of another in a single step: there is no moment without one. */
function turnLink(name: string, to: string): void {
  const fresh = inside(`.fresh-${count++}`);
  symlinkSync(to, fresh);
  renameSync(fresh, inside(name));
}

/** A folder takes the place of a link: between the two there is nothing. */
function exchangeFolder(): void {
  renameSync(inside("door"), inside(".door-link"));
  renameSync(inside(".door-folder"), inside("door"));
  renameSync(inside("door"), inside(".door-folder"));
  renameSync(inside(".door-link"), inside("door"));
}

/** The folder that a plan with a scope declares, and a link in its place that leads out of it. */
function exchangeDeclared(): void {
  renameSync(inside("scoped/in"), inside("scoped/.folder"));
  renameSync(inside("scoped/.link"), inside("scoped/in"));
  renameSync(inside("scoped/in"), inside("scoped/.link"));
  renameSync(inside("scoped/.folder"), inside("scoped/in"));
}

mkdirSync(inside("scoped/in"), { recursive: true });
symlinkSync("..", inside("scoped/.link"));
mkdirSync(inside("skills/tidy"), { recursive: true });
writeFileSync(inside("skill.md"), "---\nname: tidy\ndescription: How to tidy up.\n---\nTidy up.\n");
mkdirSync(inside(".door-folder"), { recursive: true });
writeFileSync(inside(".door-folder/canary.txt"), "nothing secret\n");
symlinkSync(state, inside("door"));

function round(): void {
  for (let i = 0; i < ROUNDS_AT_ONCE; i++) {
    turnLink("turn", "real");
    turnLink("turn", state);
    turnLink("deep/er/door", "../../real");
    turnLink("deep/er/door", state);
    turnLink("note.txt", join(state, "canary.txt"));
    turnLink("note.txt", "keep.txt");
    turnLink("AGENTS.md", join(state, "canary.txt"));
    turnLink("AGENTS.md", "keep.txt");
    turnLink("skills/tidy/SKILL.md", join(state, "config.yaml"));
    turnLink("skills/tidy/SKILL.md", "../../skill.md");
    exchangeFolder();
    exchangeDeclared();
  }
  process.stdout.write(`${count}\n`);
  setImmediate(round);
}
round();
