import { expect, it } from "vitest";
import type { EditPlace } from "../finding.ts";
import { inspectCommand } from "../inspect.ts";

const PLACE: EditPlace = { cwd: "/w", home: "/home/u" };
const judged = (command: string): string => inspectCommand(command, PLACE)?.class ?? "passes";

it.each([
  ["Remove-Item a", "Get-Item a"],
  ["remove-item -Recurse a", "remove-module a"],
  ["ri a", "gi a"],
  ["RD a", "md a"],
  ["rm a", "ls a"],
  ["del a", "dir a"],
  ["clc a", "gc a"],
  ["Clear-Content a", "Clear-Host"],
  ["Clear-RecycleBin", "Clear-Variable x"],
  ["Format-Volume D", "Format-Table a"],
  ["Remove-AzVM x", "Remove-Variable x"],
  ["Remove-Modulex a", "My-Remove-Item a"],
  ["Clear-Content a", "Clear-ContentX a"],
  ["Remove-LocalUser x", "Remove-Job x"],
  ["gci | ri", "gci | select a"],
  ["gci | % { rm $_ }", "gci | % { echo $_ }"],
  ["if (1) { Remove-Item a }", "if (1) { echo a }"],
  ["$x = Remove-Item a", "$x = Get-Item a"],
  ["ls; rm a", "ls; echo 'rm a; rm b'"],
  ["ls\nrm a", "ls\necho rm"],
  ["(Get-Item a).Delete()", "(Get-Item a).Name"],
  ['[IO.File]::Delete("a")', '[IO.File]::Exists("a")'],
  ["iex 'rm a'", "iex 'ls a'"],
  ['Invoke-Expression "rm a"', 'Write-Output "rm a"'],
  ['echo "$(rm a)"', 'echo "(rm a)"'],
  ["git clean -fd", "git status"],
  ["cmd /c del a", "cmd /c dir a"],
  ["Start-Process rm a", "Start-Process ls a"],
  ['echo "a`"; rm b"; rm c', 'echo "a`"; rm b"'],
])("[AE-02, AE-03] PowerShell removes by %s, and not by %s", (removes, harmless) => {
  const asked = (script: string): readonly string[] => {
    const quoted = `'${script.replaceAll("'", String.raw`'\''`)}'`;
    return [
      judged(`pwsh -c ${quoted}`),
      judged(`powershell.exe -NoProfile -ExecutionPolicy Bypass -Command ${quoted}`),
      judged(`pwsh <<'E'\n${script}\nE`),
      judged(`pwsh -Command - <<'E'\n${script}\nE`),
      judged(`pwsh -EncodedCommand ${Buffer.from(script, "utf16le").toString("base64")}`),
      judged(`pwsh -NonInteractive -enc ${Buffer.from(script, "utf16le").toString("base64")}`),
      judged(`powershell ${quoted}`),
    ];
  };
  expect(asked(removes)).toEqual(Array(7).fill("destructive"));
  expect(asked(harmless)).toEqual(Array(7).fill("passes"));
});

it.each([
  ["pwsh -File rm.ps1", "passes"],
  ["pwsh -f rm", "passes"],
  ["pwsh rm.ps1", "passes"],
  ["pwsh -wd rm -c ls", "passes"],
  ["pwsh -NoProfile", "passes"],
  ["pwsh -EP Bypass -C 'rm a'", "destructive"],
  ["powershell -Version 5 -WindowStyle Hidden -command 'rm a'", "destructive"],
  ["pwsh -ec cgBtACAAYQA=", "destructive"],
  ["pwsh -e cgBtACAAYQA=", "destructive"],
  ["pwsh -c 'x-iex rm; iexx rm'", "passes"],
  ["pwsh -c 'echo a\"rm b\"'", "passes"],
  ["cmd x/c del a", "passes"],
  ["cmd /cx del a", "passes"],
  ["pwsh", "passes"],
  ["pwsh -c Remove-Item -Recurse a", "destructive"],
  ["pwsh -c 'iex iex iex iex ls'", "passes"],
  ["pwsh -c 'iex iex iex iex iex ls'", "destructive"], // nobody writes so by chance
  ['cmd /c "rd /s /q a"', "destructive"],
  ["cmd.exe /C rmdir a", "destructive"],
  ["cmd /k 'dir & del a'", "destructive"],
  ["cmd /c echo del", "passes"],
  ["cmd del a", "passes"],
  ["cmd /x del a", "passes"],
])("[AE-03, AE-06] %s: %s", (command, expected) => {
  expect(judged(command)).toBe(expected);
});
