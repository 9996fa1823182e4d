/** What the library says, by key. Keys stand in what is stored: add, never rename. */
export const ENGLISH = {
  plugin_library: "Plan library",
  about_library: "Keeps every submitted plan as a file and makes all of them searchable.",
  planFileLost_full:
    "The disk is full: this plan has no copy as a file. The plan itself is stored and can be decided on.",
  planFileLost_read_only:
    "The folder of plans cannot be written: this plan has no copy as a file. The plan itself is stored and can be decided on.",
  planFileLost_refused:
    "The folder of plans leads elsewhere: this plan has no copy as a file. The plan itself is stored and can be decided on.",
  planFileLost_taken:
    "All file names for this title and day are taken: this plan has no copy as a file. The plan itself is stored and can be decided on.",
  planFileLost_unwritable:
    "The disk failed: this plan has no copy as a file. The plan itself is stored and can be decided on.",
  unitLostTracked:
    "Git tracks files in .holdpoint/work, and those are never touched: this plan has no mirror there. It is carried out all the same.",
  unitLost: "This plan could not be mirrored to .holdpoint/work ({because}). It is carried out all the same.",
  workUnitsHere: "Approved plans in this workspace",
} as const;
