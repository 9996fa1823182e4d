/** The kind under which a store keeps what people attach. By itself, so that the writer's thread needs no schemas for it. */
export const ATTACHMENT_ARTIFACT = "attachment";
