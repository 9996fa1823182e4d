/** The order of test files, the same in every run: what starts browsers and processes first, so that nothing long is left for the end. */
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const LONG = ["examples/", "test/chaos/", "src/cli/", "test/browser/", "test/journeys/", "test/corpora/", "test/"];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = this.ctx.config.root;
    const key = ({ moduleId }: TestSpecification): string => {
      const path = relative(root, moduleId);
      const rank = LONG.findIndex((folder) => path.startsWith(folder));
      return `${rank === -1 ? LONG.length : rank} ${path}`;
    };
    return files.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
  }
}
