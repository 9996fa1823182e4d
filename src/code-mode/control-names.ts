/** The tools that stand in place of the catalog: no model, cell or agent outside knows them by these names. */
export const EXEC_CONTROL = "code_mode.exec";
export const WAIT_CONTROL = "code_mode.wait";
