import { describe, expect, it } from "vitest";
import type { EditPlace } from "./finding.ts";
import { inspectCommand } from "./inspect.ts";

const PLACE: EditPlace = { cwd: "/w", home: "/home/u", pids: [4242], scripts: ["/srv/app/main.ts"] };

const judged = (command: string): string => {
  const found = inspectCommand(command, PLACE);
  return found === undefined ? "passes" : `${found.class}: ${found.code}`;
};

describe("the gateway's own command by another road", () => {
  it.each([
    ["node bin/holdpoint.js stop", "gateway-control: own-command"],
    ["bin/holdpoint.js stop", "gateway-control: own-command"],
    ["node --import tsx ./bin/holdpoint.ts stop", "gateway-control: own-command"],
    ["bash bin/holdpoint stop", "gateway-control: own-command"],
    ["deno run -A npm:holdpoint@1 stop", "gateway-control: own-command"],
    ["node /usr/lib/node_modules/holdpoint/dist/main.js config set a b", "config-change: own-settings"],
    ["node /srv/app/main.ts config set a b", "config-change: own-settings"],
    ["cd /srv/app && node main.ts stop", "gateway-control: own-command"],
    ["holdpoint plugins trust x", "config-change: own-settings"],
    ["holdpoint plan accept", "config-change: own-decision"],
    ["node bin/holdpoint.js plan revise no", "config-change: own-decision"],
    ["holdpoint sessions delete s", "config-change: own-decision"],
    ["echo /plan accept | holdpoint chat", "config-change: own-decision"],
  ])("[AE-02] is held: %s", (command, expected) => {
    expect(judged(command)).toBe(expected);
  });

  it.each([
    "node bin/holdpoint.js status",
    "node bin/holdpoint-demo.js stop",
    "node server.js stop",
    "node server.js holdpoint stop",
    "node scripts/build.js bin/holdpoint.js stop",
    "python x.py holdpoint stop",
    "node /srv/other/main.ts stop",
    "holdpoint plan show",
    "holdpoint plan notes",
    "holdpoint sessions list",
  ])("[AE-06] is another's, or only reads: %s", (command) => {
    expect(judged(command)).toBe("passes");
  });
});

describe("a kill of processes that are looked up", () => {
  it.each([
    ["kill -9 $(pidof node)", "kill $(pidof nginx)"],
    ["pgrep -f node | xargs kill", "pgrep -f vite | xargs kill"],
    ["P=$(pgrep node); kill $P", "P=$(pgrep nginx); kill $P"],
    ["for p in $(pidof node); do kill $p; done", "for p in $(pidof caddy); do kill $p; done"],
    ["pidof node | while read p; do kill $p; done", "pidof caddy | while read p; do kill $p; done"],
    ["ps aux | grep node | awk '{print $2}' | xargs kill", "ps aux | grep node | grep server.js | xargs kill"],
    ["ps aux | awk '/node/ {print $2}' | xargs kill", "ps aux | awk '/vite/ {print $2}' | xargs kill"],
    ["ps aux | grep '[h]oldpoint' | xargs kill", "ps aux | grep -v grep | grep vite | xargs kill"],
    ["ps -C node -o pid= | xargs kill", "ps -C caddy -o pid= | xargs kill"],
    ["pkill nod", "pkill vite"],
    ["pkill -f 'hold.oint'", "pkill -f 'node server.js'"],
    ["pkill -x node", "pkill -x nod"],
    ["pkill '('", "pkill -f '(vite)'"],
    ["pkill -u u", "pkill -u u vite"],
    ["killall -r 'no.*'", "killall -r 'vi.*'"],
    ["killall -u u", "killall -u u vite"],
  ])("[AE-02, AE-03] reaches the gateway by %s, and not by %s", (kills, harmless) => {
    expect([judged(kills), judged(harmless)]).toEqual(["gateway-control: process", "passes"]);
  });

  it("[AE-02] reads a pattern over units as systemd does", () => {
    expect(judged("systemctl stop 'hold*'")).toBe("gateway-control: service");
    expect(judged("systemctl stop 'ngin*'")).toBe("passes");
    expect(judged("systemctl stop '*'")).toBe("passes");
  });
});

describe("a link that the line makes", () => {
  it.each([
    ["ln -s ~/.holdpoint h; echo x > h/config.yaml", "ln -s ../shared h; echo x > h/config.yaml"],
    ["ln -s ~/.holdpoint/c c && cp y c", "ln -s ~/.holdpoint/c c && cat c"],
    ["ln ~/.holdpoint/c c; tee c < y", "cp ~/.holdpoint/c c; tee c < y"],
    ["ln -s ~ h; cd h/.holdpoint; echo x > c", "ln -s ~ h; cd h/src; echo x > c"],
    ["ln -s / r; echo x > r/home/u/.codex/c", "ln -s / r; echo x > r/home/u/src/c"],
    ["ln -st d ~/.holdpoint; echo x > d/.holdpoint/c", "ln -st d ~/.config; echo x > d/.config/c"],
    ["(ln -s ~/.holdpoint h); echo x > h/c", "(ln -s ~/other h); echo x > h/c"],
    ["ln -s ~/.holdpoint a; ln -s a b; echo x > b/c", "ln -s a b; ln -s b a; echo x > b/c"],
    ["cp -s ~/.holdpoint/c c; echo x > c", "cp -r ~/.holdpoint c; echo x > c/d"],
    ["mount --bind ~/.holdpoint m; echo x > m/c", "mount /dev/sr0 m; echo x > n/c"],
  ])("[AE-04] leads into a protected folder by %s, and not by %s", (held, passes) => {
    expect(judged(held)).toMatch(/^config-change/);
    expect(judged(passes)).toBe("passes");
  });

  it.each([
    ["ln -s /bin/rm x; ./x -rf src", "ln -s /bin/ls x; ./x src"],
    ["cp $(command -v rm) /tmp/z; /tmp/z src", "cp $(command -v ls) /tmp/z; /tmp/z src"],
    ["install /bin/rm x; mv x y; ./y a", "install /bin/ls x; mv x y; ./y a"],
  ])("[AE-03] names a program anew by %s, and none that removes by %s", (held, passes) => {
    expect([judged(held), judged(passes)]).toEqual(["destructive: removes", "passes"]);
  });
});

describe("words that the shell splits or hands on", () => {
  it.each([
    ["IFS=,; x=rm,-rf,src; $x", "IFS=,; x=ls,-l,src; $x"],
    ["IFS=_; c=git_reset_--hard; $c", "IFS=_; c=git_log; $c"],
    ['a=(rm); a+=(src); "${a[@]}"', 'a=(ls); a+=(src); "${a[@]}"'],
    ["c=rm; c+=' -rf src'; $c", "c=ls; c+=' -l src'; $c"],
    ["bash -c '\"$@\"' _ rm x", "bash -c '\"$@\"' _ npm test"],
    ["sh -c '$0 $1' rm x", "sh -c 'echo $0' rm"],
    ["env -S'rm -rf src'", "env -S'npm test'"],
    ["let 'a[$(rm x)]'", "let 'a[$(ls)]'"],
    ["x='$(rm a)'; echo \"${x@P}\"", "x='$(rm a)'; echo \"${x@Q}\""],
    ["python3 /dev/stdin <<< 'import os; os.remove(\"a\")'", "python3 /dev/stdin <<< 'print(1)'"],
    ["perl -e'unlink glob \"*\"'", "perl -e'print glob \"*\"'"],
    ["printf 'drop table x' > a.sql; psql -f a.sql", "printf 'select 1' > a.sql; psql -f a.sql"],
    ['echo \'{"scripts":{"x":"rm a"}}\' > package.json; npm run x', "echo '{}' > package.json; npm run x"],
    ["echo 'rm a' > .git/hooks/pre-commit", "echo 'npm test' > .git/hooks/pre-commit"],
  ])("[AE-03] hide a removal in %s, and none in %s", (held, passes) => {
    expect(judged(held)).toMatch(/^destructive/);
    expect(judged(passes)).toBe("passes");
  });

  it("[AE-03] are split as before once a command has had separators of its own", () => {
    expect(judged("IFS=, read -r a b < f; c='rm x'; $c")).toBe("destructive: removes");
  });
});

describe("a program that another one starts", () => {
  it.each([
    ["tar cf a x --checkpoint=1 --checkpoint-action=exec='CMD'", "tar cf a x --checkpoint-action=dot"],
    ["tar xf a --to-command='CMD'", "tar xf a --to-stdout"],
    ["tar --use-compress-prog='CMD' -xf a", "tar --use-compress-program=pigz -cf a b"],
    ["tar -I 'CMD' -xf a", "tar -I zstd -xf a"],
    ["TAR_OPTIONS=\"--to-command='CMD'\" tar xf a", "TAR_OPTIONS=--xz tar xf a"],
    ["rg --pre 'CMD' x", "rg --pre cat x"],
    ["rg --pre='CMD' x", "rg --pretty x"],
    ["git grep -O'CMD' x", "git grep -O x"],
    ["git ls-remote 'ext::CMD'", "git ls-remote origin"],
    ["git fetch --upload-pack 'CMD' a", "git fetch --prune"],
    ["GIT_EXTERNAL_DIFF='CMD' git diff", "GIT_PAGER=cat git diff"],
    ["GIT_CONFIG_VALUE_0='!CMD' git x", "GIT_CONFIG_VALUE_0=false git x"],
    ["make CC='CMD'", "make CC='ccache gcc'"],
    ["MANPAGER='CMD' man ls", "MANPAGER=cat man ls"],
    ["man -P 'CMD' ls", "man -P cat ls"],
    ["ssh -o ProxyCommand='CMD' h", "ssh -o User=a h"],
    ["rsync -e 'CMD' a b:", "rsync -e 'ssh -p 22' a b:"],
    ["split --filter='CMD' a", "split --filter='gzip > $FILE.gz' a"],
    ["gdb -batch -ex 'shell CMD'", "gdb -batch -ex run -ex bt ./a.out"],
    ["gdb -batch -ex '!CMD'", "gdb -batch -ex 'info shell'"],
    ["fzf --bind 'start:execute(CMD)'", "fzf --bind 'start:up'"],
    ["compgen -C 'CMD'", "compgen -c rm"],
    ["less '+!CMD' f", "less +10 f"],
    ["dc -e '!CMD'", "dc -e '1 2 + p'"],
    ["m4 <<< 'syscmd(CMD)'", "m4 <<< 'define(a, b)'"],
    ["tini -- CMD", "tini -- node x.js"],
    ["/lib64/ld-linux-x86-64.so.2 /bin/CMD", "/lib64/ld-linux-x86-64.so.2 /bin/ls"],
    ["deno run -A npm:rimraf CMD", "deno run -A npm:vite build"],
  ])("[AE-03] is seen in %s, and is harmless in %s", (around, harmless) => {
    expect(judged(around.replace("CMD", "rm -rf src"))).toBe("destructive: removes");
    expect(judged(harmless)).toBe("passes");
  });
});

describe("what a line makes and uses itself", () => {
  it.each([
    ["a=(r m); ${a[0]}${a[1]} -rf src", "a=(l s); ${a[0]}${a[1]} src"],
    ["a[0]=r; a[1]=m; ${a[0]}${a[1]} src", "a[0]=l; a[1]=s; ${a[0]}${a[1]} src"],
    ["a=(x rm); ${a[-1]} src", "a=(rm ls); ${a[-1]} src"],
    ["start-stop-daemon -S -x /bin/rm -- -rf src", "start-stop-daemon -S -x /usr/bin/node -- server.js"],
    ["start-stop-daemon --start --startas /bin/rm -- -rf src", "start-stop-daemon --stop --pidfile a.pid"],
  ])("[AE-02, AE-03] is seen: %s, and not in %s", (held, passes) => {
    expect(judged(held)).toMatch(/^destructive/);
    expect(judged(passes)).toBe("passes");
  });
});

it("[AE-02] a script that ends in exec > f leaves an empty file where there was one", () => {
  const place = { ...PLACE, realpath: (path: string) => (path.endsWith("kept.txt") ? path : undefined) };
  const found = (command: string): string => inspectCommand(command, place)?.code ?? "passes";
  expect(["exec > kept.txt", "set -e; exec 1>kept.txt"].map(found)).toEqual(["empties", "empties"]);
  const harmless = ["exec > new.log", "exec > kept.txt; make", "exec 2> kept.txt", "exec >> kept.txt"];
  expect(harmless.map(found)).toEqual(harmless.map(() => "passes"));
});

describe("code that nobody can read", () => {
  it.each([
    ["python3 -c \"exec(bytes.fromhex('aa'))\"", "python3 -c \"print(bytes.fromhex('aa'))\""],
    ["python3 -c \"exec('tropmi'[::-1])\"", "python3 -c \"print('tropmi'[::-1])\""],
    ["python3 -c \"exec(''.join(map(chr,[105])))\"", "python3 -c \"exec(open('setup.py').read())\""],
    ["python3 -c \"import os; getattr(os, n+'ove')('a')\"", "python3 -c \"import os; getattr(os, 'name')\""],
    ['python3 -c "$(base64 -d <<< aW1wb3J0IG9z)"', 'python3 -c "print(1)"'],
    ["node -e \"eval(atob('eA=='))\"", "node -e \"console.log(atob('eA=='))\""],
    ["node -e \"new Function(Buffer.from('eA==','base64')+'')()\"", "node -e \"eval('1+1')\""],
    ["node -e \"require('fs')[x]('a')\"", "node -e \"require('fs')['readFileSync']('a')\""],
    ['perl -e \'eval pack("H*","75")\'', 'perl -e \'print pack("H*","75")\''],
    ['ruby -e \'eval(["70"].pack("H*"))\'', "ruby -e 'eval(\"1+1\")'"],
    ["php -r 'eval(base64_decode(\"eA==\"));'", "php -r 'echo base64_decode(\"eA==\");'"],
  ])("[AE-03] is held: %s, and not %s", (held, passes) => {
    expect([judged(held), judged(passes)]).toEqual(["destructive: unresolved", "passes"]);
  });

  it.each([
    ["node -e \"require('f'+'s')['unl'+'inkSync']('a')\"", "destructive: code-removes"],
    ["node -e \"fs['\\x72mSync']('a')\"", "destructive: code-removes"],
    ["python3 -c \"import os; os.system('r'+'m x')\"", "destructive: removes"],
    ["python3 -c \"import os; vars(os)['remove']('a')\"", "destructive: code-removes"],
    ["node --import 'data:text/javascript,fs.rmSync(1)' x.js", "destructive: code-removes"],
    ["erl -noshell -eval 'file:delete(\"a\").'", "destructive: code-removes"],
    ["python3 -c \"open('/home/u/.hold'+'point/c','w').write('x')\"", "config-change: protected-path"],
  ])("[AE-03] is put together before it is judged: %s", (command, expected) => {
    expect(judged(command)).toBe(expected);
  });

  it.each([
    ["python3 -c \"open('a','w')\"", "python3 -c \"open('a','w').write('x')\""],
    ["python3 -c \"with open('a','w') as f: pass\"", "python3 -c \"json.dump({}, open('a','w'))\""],
    ["node -e \"fs.createWriteStream('a').end()\"", "node -e \"fs.createWriteStream('a').end('x')\""],
    ["node -e \"fs.copyFileSync('/dev/null','a')\"", "node -e \"fs.copyFileSync('b','a')\""],
    ['ruby -e \'File.open("a","w"){}\'', 'ruby -e \'File.open("a","w"){|f| f.puts 1}\''],
    ["perl -e 'open F, \">a\"'", "perl -e 'open F, \">a\"; print F 1'"],
  ])("[AE-02] opens a file anew and writes nothing: %s, unlike %s", (held, passes) => {
    expect([judged(held), judged(passes)]).toEqual(["destructive: code-empties", "passes"]);
  });
});

describe("filters in place and before a redirection", () => {
  it.each([
    ["sed -i '1,$d' f", "sed -i '1,3d' f"],
    ["sed -i /./d f", "sed -i '/^$/d' f"],
    ["sed -i 's/.*//' f", "sed -i 's/#.*//' f"],
    ["sed -n -i '' f", "sed -n -i '1,5p' f"],
    ["gawk -i inplace 0 f", "gawk -i inplace '{gsub(/a/,\"b\")}1' f"],
    ["gawk -i inplace '{ x = 1 }' f", "gawk -i inplace '{ print $1 }' f"],
    ["gawk --include=inplace 'BEGIN{}' f", "gawk --include=inplace 'NR>1' f"],
    ["perl -ni -e 0 f", "perl -ni -e 'print unless /x/' f"],
    ["perl -i -pe '$_=\"\"' f", "perl -i -pe '$_=\"\" if /x/' f"],
    ["ruby -i -ne '' f", "ruby -i -ne 'puts $_' f"],
    ["ed -s f <<< $',d\\nw'", "ed -s f <<< $'3d\\nw'"],
    ["vim -c 'normal ggdG' -c wq f", "vim -c 'normal ggdd' -c wq f"],
    ["sed d b > f", "sed '/x/d' b > f"],
    ["awk 0 b > f", "awk 1 b > f"],
    ["head -0 b > f", "head -5 b > f"],
    ["sleep 0 > f", "date > f"],
    ["sort -o f /dev/null", "sort -o f b"],
    ["truncate -r /dev/null f", "truncate -r b f"],
    ['awk \'BEGIN { printf "" > "f" }\'', 'awk \'BEGIN { printf "x" > "f" }\''],
  ])("[AE-02] leave nothing by %s, and something by %s", (held, passes) => {
    expect([judged(held), judged(passes)]).toEqual(["destructive: empties", "passes"]);
  });
});

describe("a protected folder by another name", () => {
  it.each([
    "echo x > ~root/.holdpoint/c",
    "echo x > /proc/self/root/home/u/.holdpoint/c",
    "echo x > $XDG_CONFIG_HOME/holdpoint/c",
    "echo x > ${XDG_CONFIG_HOME:-$HOME/.config}/holdpoint/c",
    "find ~/.holdpoint -type f | xargs sed -i s/a/b/",
    "tar -xf x.tar -C ~ .holdpoint/config.yaml",
    "curl -so ~/.holdpoint/config.yaml http://x",
  ])("[AE-04] is found: %s", (command) => {
    expect(judged(command)).toBe("config-change: protected-path");
  });

  it.each(["find ~/.holdpoint -type f | xargs cat", "tar -xf x.tar -C ~ src/a", "echo x > ~root/notes"])(
    "[AE-06] is not touched by %s",
    (command) => {
      expect(judged(command)).toBe("passes");
    },
  );
});
