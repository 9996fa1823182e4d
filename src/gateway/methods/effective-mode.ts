/** The mode that counts for a session: a child of a planning session is held like its root, though it is in no mode itself (I16). */
import { ancestorsOf } from "../../agent/sub-agents/ancestors.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Session } from "../../protocol/session.ts";
import { NORMAL_MODE } from "./session-view.ts";

export type Modes = Pick<Engine, "mode" | "session">;

export async function effectiveMode(session: Session, engine: Modes): Promise<string> {
  const own = engine.mode(session);
  if (own !== null || session.parentId === undefined) return own ?? NORMAL_MODE;
  const chain = await ancestorsOf(session, engine);
  const above = chain === "broken" ? [] : chain.map((ancestor) => engine.mode(ancestor));
  return above.find((mode) => mode !== null) ?? NORMAL_MODE;
}
