/** Whether a text is a command: in a group it is meant for us without our name. */
export const isCommand = (text: string): boolean => /^(?:\/|\[plan-mode\]\s)/i.test(text);
