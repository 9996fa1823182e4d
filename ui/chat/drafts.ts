/** What was typed and not sent, by what it belongs to; this tab's own, and gone with it. */
const keyOf = (about: string): string => `holdpoint.draft.${about}`;

export const drafts = {
  read: (about: string): string => sessionStorage.getItem(keyOf(about)) ?? "",
  write(about: string, text: string): void {
    try {
      if (text === "") sessionStorage.removeItem(keyOf(about));
      else sessionStorage.setItem(keyOf(about), text);
    } catch {
      // the browser's store is full: the text stays in the field, they only do not outlive a reload
    }
  },
};
