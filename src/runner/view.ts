/**
 * What a process that acts for an agent sees of the machine (GA-13). A view is data: bubblewrap and util-linux each build
 * it with their own means.
 *
 * Deeper places win over those above them: a hidden home folder, a workspace shown inside it, and the gateway's folder
 * hidden inside that workspace are three places of one view.
 */

/**
 * `kept`: as it is, whatever lies around it, unless another place says more. `fixed`: open, but it cannot be renamed there,
 * so that what is hidden below it stays where it is. `hidden`: an empty folder or file stands
 * there. `scratch`: an empty folder of its own, for temporary files.
 */
export type Shown = "fixed" | "kept" | "hidden" | "scratch" | "readable" | "writable";

/** `path` is absolute. */
export type Place = { path: string; as: Shown };

export type View = {
  /** The machine where no place says otherwise. */
  rest: "read-only" | "writable";
  places: readonly Place[];
  /** Without it the process has no address but its own loopback. */
  network: boolean;
  /** Nothing starts if a writable place, which is free of symlinks, was exchanged before it was mounted. */
  isPinned?: boolean;
};

/** A process to be started in a view. */
export type Program = {
  cwd: string;
  argv: readonly string[];
  /** Its starter gives it a session of its own, and ends it by its group: nothing in the view may leave that group. */
  isLeader?: boolean;
  /**
   * It and its starter answer each other within microseconds: it stays in its starter's session, in a group of its own, unless a
   * terminal belongs to that session. The system schedules sessions against each other, which makes each answer wait.
   */
  isNear?: boolean;
};

const OPENNESS: Readonly<Record<Shown, number>> = {
  fixed: -2,
  kept: -1,
  hidden: 0,
  scratch: 1,
  readable: 2,
  writable: 3,
};
const depthOf = (path: string): number => (path === "/" ? 0 : path.split("/").length - 1);

/**
 * In the order in which they are mounted. Of two statements about one path the more open one counts; what lies in a
 * folder that is empty anyway needs no hiding, and is not brought back by being kept.
 */
export function mountOrder<Kind extends Place>(places: readonly Kind[]): Kind[] {
  const byPath = new Map<string, Kind>();
  for (const place of places) {
    const before = byPath.get(place.path);
    if (before === undefined || OPENNESS[place.as] > OPENNESS[before.as]) byPath.set(place.path, place);
  }
  const sorted = [...byPath.values()].toSorted(
    (a, b) => depthOf(a.path) - depthOf(b.path) || (a.path < b.path ? -1 : 1),
  );
  return sorted.filter((place, index) => {
    const above = sorted.slice(0, index).findLast(({ path }) => isBelow(place.path, path));
    const isEmptyAbove = above?.as === "hidden" || above?.as === "scratch";
    return !isEmptyAbove || OPENNESS[place.as] > OPENNESS.hidden;
  });
}

const isBelow = (path: string, folder: string): boolean => path.startsWith(folder === "/" ? "/" : `${folder}/`);
