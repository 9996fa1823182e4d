/** Text of agents, tools and people as plain text that shows everything it holds, written as everywhere else. */
export { hidesSomething, showHidden as visibly } from "../../src/protocol/text/hidden-characters.ts";
