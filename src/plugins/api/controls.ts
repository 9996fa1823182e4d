/** What people can press: actions of a session, shown by descriptors that carry no code. */
import type { z } from "zod";
import type { Actor, Scope } from "../../protocol/actor.ts";
import type { UiDescriptor } from "../../protocol/wire/ui-descriptor.ts";
import type { CommandResult, HandlerCall } from "./command.ts";

export type SessionAction<Params> = {
  id: string;
  description: string;
  schema: z.ZodType<Params>;
  /** The scopes needed, all of them; absent means operator.write. */
  requiredScopes?: readonly Scope[];
  handler(call: ActionCall<Params>): Promise<CommandResult>;
};
export type ActionCall<Params> = HandlerCall & { params: Params };

export type SessionControls = {
  registerControlUiDescriptor(descriptor: UiDescriptor): void;
  registerSessionAction<Params>(action: SessionAction<Params>): void;
};

export type OperatorActor = Extract<Actor, { kind: "operator" }>;
