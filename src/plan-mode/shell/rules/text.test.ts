import { describe, expect, it } from "vitest";
import { canonical, verdict } from "../../../../test/kit/shell-verdict.ts";

describe("filters", () => {
  it.each([
    ["sort -k2,2n -t: a.txt", "read"],
    ["sort -rnu a.txt b.txt", "read"],
    ["sort --reverse --key=2 --field-separator=, --unique a.txt", "read"],
    ["sort -S 10M --parallel=2 -c a.txt", "read"],
    ["gsort -V a.txt", "read"],
    ["sort -o out a.txt", "harmful-option: sort -o"],
    ["sort a.txt -oout", "harmful-option: sort -o"],
    ["sort --output=out a.txt", "harmful-option: sort --output"],
    ["sort --outp=out a.txt", "unknown-option: sort --outp"],
    ["sort -T /w a.txt", "harmful-option: sort -T"],
    ["sort --temporary-directory=/w a.txt", "harmful-option: sort --temporary-directory"],
    ["sort --compress-program=./evil a.txt", "harmful-option: sort --compress-program"],
    ["sort *", "dynamic-word: sort …"],
    ["uniq -c a.txt", "read"],
    ["sort a | uniq -d -f 1 -s2 -w 3", "read"],
    ["uniq --count --skip-fields=1 --all-repeated=prepend", "read"],
    ["uniq a.txt out.txt", "operand: uniq: at most 1"], // the second is written to
    ["uniq a.txt -c", "operand: uniq: at most 1"],
    ["uniq ./*", "operand: uniq: at most 1"],
    ["shuf -n 3 a.txt", "read"],
    ["shuf -e a b -r -z", "read"],
    ["shuf -i 1-9 --head-count=2", "read"],
    ["shuf -o out a", "harmful-option: shuf -o"],
    ["shuf --output=out a", "harmful-option: shuf --output"],
    ["base64 a.bin", "read"],
    ["base64 -d -i -w 0 a", "read"],
    ["base32 --decode --wrap=0 a", "read"],
    ["base64 -D -b 76 a", "read"],
    ["base64 -o out a", "harmful-option: base64 -o"],
    ["base64 --output=out a", "harmful-option: base64 --output"],
    ["iconv -f latin1 -t utf-8 a.txt", "read"],
    ["iconv -lc", "read"],
    ["iconv --from-code=latin1 --list", "read"],
    ["iconv -f latin1 -o out a", "harmful-option: iconv -o"],
    ["iconv --output=out a", "harmful-option: iconv --output"],
    ["envsubst < a.txt", "read"],
    ["envsubst -v '$HOME'", "read"],
    ["envsubst --variables x", "read"],
  ])("[GA-05] print what they read: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  it.each([
    ["xxd a.bin", "read"],
    ["xxd -l 64 -c 8 -s 16 a.bin", "read"],
    ["xxd -l64 -g1 a.bin", "read"],
    ["xxd -p a.bin", "read"],
    ["xxd -r -p a.hex", "read"],
    ["xxd -len 4 -seek 2 -cols 4 a.bin", "read"],
    ["xxd a.bin out", "operand: xxd: at most 1"], // the second is written to
    ["xxd -r a.hex out", "operand: xxd: at most 1"],
    ["xxd -ps a b", "operand: xxd: at most 1"],
    ["xxd a.bin -p", "operand: xxd: at most 1"],
    ["xxd -- a b", "unknown-option: xxd --"],
    ["xxd -q a", "unknown-option: xxd -q"],
  ])("[GA-05] xxd prints: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  it.each([
    ["diff a b", "read"],
    ["diff -ruN --exclude=dist a b", "read"],
    ["diff -U 3 -I '^#' -x '*.o' a b", "read"],
    ["diff -y -W 200 --suppress-common-lines a b", "read"],
    ["diff -3 a b", "read"],
    ["diff --color=always --strip-trailing-cr a b", "read"],
    ["diff -l a b", "harmful-option: diff -l"], // runs pr
    ["diff --paginate a b", "harmful-option: diff --paginate"],
    ["colordiff -u a b", "read"],
    ["colordiff -l a b", "harmful-option: colordiff -l"],
    ["diff3 -m a b c", "read"],
    ["diff3 -L x --show-all a b c", "read"],
    ["diff3 --diff-program=./evil a b c", "harmful-option: diff3 --diff-program"],
    ["sdiff -s -w 80 a b", "read"],
    ["sdiff --ignore-case a b", "read"],
    ["sdiff -o out a b", "harmful-option: sdiff -o"],
    ["sdiff --output=out a b", "harmful-option: sdiff --output"],
    ["sdiff --diff-program=./evil a b", "harmful-option: sdiff --diff-program"],
  ])("[GA-05] compare: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  it.each([
    ["sed -n '1,5p' a.txt", "read"],
    ["sed -E -e 's/a/b/g' -e 5q a.txt", "read"],
    ["gsed --quiet --expression=p a.txt", "read"],
    ["sed -i s/a/b/ a.txt", "harmful-option: sed -i"],
    ["sed -Ei.bak s/a/b/ a.txt", "harmful-option: sed -i"],
    ["sed --in-place s/a/b/ a.txt", "harmful-option: sed --in-place"],
    ["sed -I '' s/a/b/ a.txt", "harmful-option: sed -I"],
    ["sed -f x.sed a.txt", "harmful-option: sed -f"],
    ["sed --file=x.sed a.txt", "harmful-option: sed --file"],
    ["sed 's/a/b/w out' a.txt", "script: sed /w out"],
    ["awk -F: -v n=1 '{ print $n }' a.txt", "read"],
    ["gawk --field-separator=: --assign=n=1 '{ print $n }' a.txt", "read"],
    ["awk -V", "read"],
    ["mawk --version", "read"],
    ["awk -f x.awk a.txt", "harmful-option: awk -f"],
    ["gawk -i inplace 1 a.txt", "harmful-option: gawk -i"],
    ["gawk -l filefuncs 1", "harmful-option: gawk -l"],
    ["gawk -o 1", "harmful-option: gawk -o"],
    ["gawk --profile 1", "harmful-option: gawk --profile"],
    ["gawk -d 1", "harmful-option: gawk -d"], // writes awkvars.out
    ["gawk --dump-variables 1", "harmful-option: gawk --dump-variables"],
    ["gawk -E x.awk", "harmful-option: gawk -E"],
    ["gawk -e 'BEGIN{system(1)}'", "harmful-option: gawk -e"],
    ["gawk --source='BEGIN{system(1)}'", "harmful-option: gawk --source"],
    ["mawk -W exec x", "harmful-option: mawk -W"],
    ["awk 'BEGIN { system(\"ls\") }'", "script: awk system"],
    ["awk '{ print }' -i", "read"], // behind the program it is a file
  ])("[GA-05] edit the stream, not the file: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  it.each([
    ["yq '.a.b' a.yaml", "read"],
    ["yq -r -o json -P . a.yaml", "read"],
    ["yq --output-format=json --indent 2 . a.yaml", "read"],
    ["tomlq .a Cargo.toml", "read"],
    ["yq -i '.a = 1' a.yaml", "harmful-option: yq -i"],
    ["yq -Pi '.a = 1' a.yaml", "harmful-option: yq -i"],
    ["yq --inplace '.a = 1' a.yaml", "harmful-option: yq --inplace"],
    ["yq --in-place '.a = 1' a.yaml", "harmful-option: yq --in-place"],
    ["yq -s .name a.yaml", "harmful-option: yq -s"], // a file for each document
    ["yq --split-exp .name a.yaml", "harmful-option: yq --split-exp"],
    ['yq \'system("touch"; "pwned")\' a.yaml', "script: yq"],
    ["yq 'load_ext(\"x\")' a.yaml", "script: yq"],
    ["yq 'loadext(\"x\")' a.yaml", "script: yq"],
    ["yq .ecosystem a.yaml", "read"],
    ["yq .systems a.yaml", "read"],
    ['yq "./$x" a.yaml', "script: yq"],
    ["bat -n -r 1:20 a.ts", "read"],
    ["bat --plain --language=ts --line-range=1:5 a.ts", "read"],
    ["batcat -A a.ts", "read"],
    ["bat --pager=./evil a", "harmful-option: bat --pager"],
    ["bat cache --build", "unknown-option: bat --build"],
    ["bat cache", "known-write: bat cache"],
    ["bat -p cache", "known-write: bat cache"],
    ["bat", "read"],
    ["tokei -f -t Rust -s lines --output=json src", "read"],
    ["tokei --files", "read"],
  ])("[GA-05] show structure and colours: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  it.each([
    ["xmllint --format a.xml", "read"],
    ["xmllint --xpath //a --noout a.xml", "read"],
    ['xmllint --noout --schema a.xsd "./$x"', "read"],
    ["xmllint --output out a.xml", "harmful-option: xmllint --output"],
    ["xmllint -o out a.xml", "harmful-option: xmllint -o"],
    ["xmllint --shell a.xml", "harmful-option: xmllint --shell"],
    ["xmllint https://example.com/a.xml", "network: xmllint https://example.com/a.xml"],
    ["xmllint --schema http://example.com/x a.xml", "network: xmllint http://example.com/x"],
    ["xmllint -- --output x a.xml", "unknown-option: xmllint --"],
    ["nm -D lib.so", "read"],
    ["nm -C --defined-only -t x lib.a", "read"],
    ["nm --plugin ./evil.so a.o", "harmful-option: nm --plugin"],
    ["nm @options", "operand: nm @file"], // more options stand in that file
    ['nm "./@$x"', "read"],
    ["nm -t @options a.o", "operand: nm @file"],
    ["objdump -d -M intel -j .text a.o", "read"],
    ["objdump --disassemble --section=.text a.o", "read"],
    ["objdump --disassemble=main a.o", "read"],
    ["objdump @options", "operand: objdump @file"],
    ['objdump -M "$x" a.o', "operand: objdump @file"],
    ["size -A a.o", "read"],
    ["size --format=sysv a.o", "read"],
    ["size @options", "operand: size @file"],
  ])("[GA-05] look into structured files: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  it("[GA-06] start no pager and open no connection", () => {
    expect(canonical("bat a")).toBe("bat --paging=never a");
    expect(canonical("xmllint a")).toBe("xmllint --nonet a");
  });
});
