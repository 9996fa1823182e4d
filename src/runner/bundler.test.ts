import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, it } from "vitest";

it.runIf(existsSync("/proc/self/task"))(
  "[GA-13] the bundler's process ends with the last bundle, and begins again with the next",
  () => {
    const bundler = JSON.stringify(new URL("./bundler.ts", import.meta.url).href);
    const script = `
    import { readFileSync } from "node:fs";
    import { withBundler } from ${bundler};
    const children = () => readFileSync("/proc/self/task/" + process.pid + "/children", "utf8").trim();
    const bundle = () => withBundler((build) => build({ stdin: { contents: "export const a = 1" }, write: false }));
    const [first, second] = await Promise.all([bundle(), bundle()]);
    const third = await bundle();
    while (children() !== "") await new Promise((next) => setImmediate(next)); // it is told to end, and takes a moment
    console.log([first, second, third].map(({ outputFiles }) => outputFiles.length).join());`;
    const { stdout } = spawnSync(process.execPath, ["--no-warnings", "--input-type=module", "-e", script], {
      encoding: "utf8",
      cwd: new URL("../..", import.meta.url),
      timeout: 20_000,
    });
    expect(stdout).toBe("1,1,1\n");
  },
);
