/** The script for each shell, made from the tree of commands: completing a word starts no program of ours. */
import type { Command } from "commander";
import type { Shell } from "./completion-commands.ts";

type Word = { word: string; description: string };
/** What may follow a command, which is named by the words that lead to it. */
type Place = { path: string; words: readonly Word[] };

export function completionScript(program: Command, shell: Shell): string {
  const places = placesOf(program, "");
  if (shell === "bash") return bash(places);
  return shell === "zsh" ? zsh(places) : fish(places);
}

function placesOf(command: Command, path: string): Place[] {
  const help = command.createHelp();
  const children = help.visibleCommands(command).filter((child) => child.name() !== "help");
  const options = help.visibleOptions(command).flatMap(({ long, short, description }) => {
    const word = long ?? short;
    return word === undefined ? [] : [{ word, description }];
  });
  const words = [...children.map((child) => ({ word: child.name(), description: child.description() })), ...options];
  return [{ path, words }, ...children.flatMap((child) => placesOf(child, `${path}/${child.name()}`))];
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The words so far that name commands, joined to a path; an option or an operand does not lead on. */
const WALK = `  local at="" word
  for word in "\${before[@]}"; do
    case " $places " in *" $at/$word "*) at="$at/$word" ;; esac
  done`;

const paths = (places: readonly Place[]): string => places.map(({ path }) => path).join(" ");

function bash(places: readonly Place[]): string {
  const cases = places.map(
    ({ path, words }) => `    ${quoted(path)}) found=${quoted(words.map(({ word }) => word).join(" "))} ;;`,
  );
  return `# holdpoint: completion for bash
_holdpoint() {
  local places=${quoted(paths(places))} found=""
  local before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
${WALK}
  case "$at" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$found" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _holdpoint holdpoint`;
}

function zsh(places: readonly Place[]): string {
  const entry = ({ word, description }: Word): string =>
    quoted(`${word}:${description.replaceAll(":", String.raw`\:`)}`);
  const cases = places.map(({ path, words }) => `    ${quoted(path)}) found=(${words.map(entry).join(" ")}) ;;`);
  return `#compdef holdpoint
# holdpoint: completion for zsh
_holdpoint() {
  local places=${quoted(paths(places))}
  local -a found before
  before=("\${(@)words[2,CURRENT-1]}")
${WALK}
  case "$at" in
${cases.join("\n")}
  esac
  _describe 'holdpoint' found || _files
}
compdef _holdpoint holdpoint`;
}

const fishQuoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`;

function fish(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, words }) =>
    words.map(({ word, description }) => {
      const offer = word.startsWith("--") ? `-l ${word.slice(2)}` : `-a ${fishQuoted(word)}`;
      return `complete -c holdpoint -n ${fishQuoted(`__holdpoint_at "${path}"`)} ${offer} -d ${fishQuoted(description)}`;
    }),
  );
  return `# holdpoint: completion for fish
function __holdpoint_at
  set -l places ${fishQuoted(paths(places))}
  set -l at ""
  for word in (commandline -opc)[2..-1]
    string match -q -- "* $at/$word *" " $places "; and set at "$at/$word"
  end
  test "$at" = "$argv[1]"
end
${lines.join("\n")}`;
}
