import { describe, expect, it } from "vitest";
import { canonical, hint, verdict } from "../../../../test/kit/shell-verdict.ts";

describe("languages and build tools", () => {
  it.each([
    "node --version",
    "node -v",
    "python3 -V",
    "python3 --help",
    "bash --version",
    "gcc --version",
    "clang -v",
    "make --version",
    "make -v",
    "docker -v",
    "ruby -v",
    "perl -v",
    "php -v",
    "tsc -v",
    "nginx -v",
    "tmux -V",
    "curl -V",
    "psql -V",
    "ssh -V",
    "java -version",
    "java --version",
    "javac -version",
    "cmake --help",
    "vim --version",
  ])("[GA-05] tell their version: %s", (line) => expect(verdict(line)).toBe("read"));

  it.each([
    ["node", "node "],
    ["node -e 1", "node "],
    ["node script.js", "node script.js"],
    ["node --version script.js", "node "], // old versions run it
    ["node --versionx", "node --versionx"],
    ["node x--version", "node x--version"],
    ["node -V", "node -V"],
    ["bash -v", "bash -v"], // runs what it reads, and shows it
    ["perl -V", "perl -V"],
    ["java -jar", "java -jar"],
    ["node -version", "node -version"],
    ["make", "make "],
    ["ldd --verbose", "ldd --verbose"],
    ['node "$x"', "node "],
    ["node toString", "node toString"],
  ])("[GA-05] and nothing else: %s", (line, matched) => {
    expect(verdict(line)).toBe(`runs-programs: ${matched}`);
    expect(hint(line)).toBe("Only its --version and --help are reads.");
  });

  it.each(["ldd ./evil", "ldd --version ./evil", "ldd -v", 'ldd "$x"', "ldd -- --version"])(
    "[GA-05] ldd runs what it is given: %s",
    (line) => expect(verdict(line)).toMatch(/^(?:runs-programs|dynamic-word): /),
  );

  it.each([
    ["npm view react versions", "network: npm view"],
    ["npm outdated", "network: npm outdated"],
    ["pnpm outdated -r", "network: pnpm outdated"],
    ["pip index versions requests", "network: pip index"],
    ["cargo search serde", "network: cargo search"],
  ])("[GA-07] a question to a registry needs the network and is not said to change something: %s", (line, expected) => {
    expect(verdict(line)).toBe(expected);
    expect(hint(line)).toBe("This opens a network connection; put it into the plan and ask for approval.");
  });

  it.each(["npm frobnicate", "mvn -v", "npm audit", "cargo build"])(
    "[GA-07] what nobody has looked up is not said to change something: %s",
    (line) => {
      expect(verdict(line)).toMatch(/^known-write: /);
      expect(hint(line)).toBe("Not known to only read when used like this; put it into the plan and ask for approval.");
    },
  );

  it.each(["yarn --version", "pnpm -v", "go version", "cargo --version", "mvn -v"])(
    "[GA-05] not where the project chooses which one answers: %s",
    (line) => expect(verdict(line)).not.toBe("read"),
  );

  it.each([
    ["java -version", "java -XX:-UsePerfData -version"],
    ["javac --version", "javac -J-XX:-UsePerfData --version"],
  ])("[GA-06] leave no statistics on disk: %s", (line, expected) => {
    expect(canonical(line)).toBe(`env HOME=/dev/null ${expected}`);
    expect(canonical(expected)).toBe(`env HOME=/dev/null ${expected.replace(" -", ` ${expected.split(" ")[1]} -`)}`);
  });

  it.each([
    ["pip list", "read"],
    ["pip list --format=json --user --exclude x", "read"],
    ["pip3 show -f requests", "read"],
    ["pip show --files --verbose requests", "read"],
    ["pip freeze -l", "read"],
    ["pip freeze --all", "read"],
    ["pip config list", "read"],
    ["pip config --user get a", "unknown-option: pip config --user"],
    ["pip config get -v --global a", "read"],
    ["pip --version", "read"],
    ["pip -V", "read"],
    ["pip", "unknown-command: pip"],
    ["pip install x", "known-write: pip install"],
    ["pip list --outdated", "unknown-option: pip list --outdated"], // asks the registry
    ["pip config set a b", "known-write: pip config set"],
    ["npm ls", "read"],
    ["npm ls --depth=0 --json", "read"],
    ["npm list -g --all", "read"],
    ["npm -g ls", "read"],
    ["npm ll react", "read"],
    ["npm explain --json react", "read"],
    ["npm why react", "read"],
    ["npm run", "read"],
    ["npm run --json", "read"],
    ["npm root -g", "read"],
    ["npm prefix --global", "read"],
    ["npm config get registry", "read"],
    ["npm config list -l --json", "read"],
    ["npm c ls", "read"],
    ["npm pkg get name", "read"],
    ["npm pkg get --json", "read"],
    ["npm -v", "read"],
    ["npm --version", "read"],
    ["npm", "unknown-command: npm"],
    ["npm run build", "operand: npm run: at most 0"],
    ["npm run-script -- build", "operand: npm run-script: at most 0"],
    ["npm root x", "operand: npm root: at most 0"],
    ["npm test", "known-write: npm test"],
    ["npm ls --prefix=/x", "unknown-option: npm ls --prefix"],
    ["npm config set a b", "known-write: npm config set"],
    ["npm pkg set a=b", "known-write: npm pkg set"],
    ["npm audit", "known-write: npm audit"],
    ["shellcheck a.sh", "read"],
    ["shellcheck -x -s bash -e SC1091 -f gcc a.sh", "read"],
    ["shellcheck --severity=error --norc a.sh", "read"],
    ["shellcheck --fix a.sh", "unknown-option: shellcheck --fix"],
  ])("[GA-05] list what is installed: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  it.each([
    ["openssl sha256 a.txt", "read"],
    ["openssl md5 -r a.txt", "read"],
    ["openssl sha256 -out b a.txt", "unknown-option: openssl sha256 -o"],
    ["openssl req -in a.csr -noout -text", "read"],
    ["openssl req -in a.csr -text", "runs-programs: openssl req"],
    ["openssl req -in a.csr -noout -keyout b", "harmful-option: openssl req -k"],
    ["openssl req -in org.openssl.engine:x:y -noout", "operand: openssl req org.openssl.engine:x:y"],
    ["openssl crl -in a.crl -noout -nextupdate", "read"],
    ["openssl crl -in a.crl -noout -out b", "harmful-option: openssl crl -o"],
    ["openssl ciphers -v", "read"],
    ["openssl version", "read"],
    ["openssl version -a", "read"],
    ["openssl x509 -in cert.pem -noout -text", "read"],
    ["openssl x509 -in ./a:b.pem -noout -dates -checkend 86400", "read"],
    ['openssl x509 -noout -in "./$x"', "read"],
    ["openssl x509 -noout -subject -nameopt RFC2253 < cert.pem", "read"],
    // Alone, older versions read commands from standard input.
    ["echo 'rand -out x 5' | openssl", "runs-programs: openssl"],
    ["openssl --", "runs-programs: openssl"],
    // The library is loaded, and its code runs.
    ["openssl x509 -in org.openssl.engine:/w/evil.so:x", "operand: openssl x509 org.openssl.engine:/w/evil.so:x"],
    ['openssl x509 -in "org.openssl.engine:/w/$x"', "operand: openssl x509 org.openssl.engine:/w/"],
    ['openssl x509 -in "$x"', "operand: openssl x509 "],
    ["openssl x509 -out x -in cert.pem", "harmful-option: openssl x509 -o"],
    ["openssl x509 -in cert.pem x", "operand: openssl x509: at most 0"],
    ["openssl x509 -engine ./evil.so", "unknown-option: openssl x509 -e"],
    ["openssl s_client -connect a:443", "runs-programs: openssl s_client"],
  ])("[GA-05] show certificates: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  it.each([
    ["sqlite3 -readonly a.db 'select 1'", "read"],
    ["sqlite3 -readonly -header -csv -separator , a.db .tables", "read"],
    ["sqlite3 -version", "read"],
    ["sqlite3 --version", "read"],
    ["sqlite3 a.db 'select 1'", "missing-option: sqlite3 needs -readonly or -version or --version"],
    ["sqlite3 a.db 'select 1' -readonly", "missing-option: sqlite3 needs -readonly or -version or --version"],
    ["sqlite3 -version a.db 'drop table t'", "script: sqlite3 drop table t"],
    ["sqlite3 -readonly a.db", "missing-option: sqlite3 needs a query"],
    ["sqlite3 -readonly", "missing-option: sqlite3 needs a query"],
    ["sqlite3 -readonly a.db 'drop table t'", "script: sqlite3 drop table t"],
    ["sqlite3 -readonly -cmd '.shell x' a.db", "harmful-option: sqlite3 -c"],
    ["sqlite3 -readonly -interactive a.db", "harmful-option: sqlite3 -i"],
    ["sqlite3 -readonly -init x a.db 'select 1'", "harmful-option: sqlite3 -init"],
    ["sqlite3 -init /dev/null -readonly a.db 'select 1'", "read"],
    // It reads options behind -- too, here a file named like a query.
    ["sqlite3 -readonly -- -init 'select 1'", "unknown-option: sqlite3 --"],
  ])("[GA-05] ask a database: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  const wal = (log: string): string => `"$(test -e ${log} && echo readonly_shm=1 || echo immutable=1)"`;

  it.each([
    ["sqlite3 -readonly a.db .tables", `-readonly 'file:a.db?'${wal("a.db-wal")} .tables`],
    ["sqlite3 -readonly //w/50%#1.db .tables", `-readonly 'file:/w/50%25%231.db?'${wal("'//w/50%#1.db-wal'")} .tables`],
    ["d=a.db; sqlite3 -readonly $d .tables", `-readonly 'file:a.db?'${wal("a.db-wal")} .tables`],
    ["sqlite3 -readonly :memory: 'select 1'", "-readonly :memory: 'select 1'"],
    ["sqlite3 -safe -version", "-safe -version"],
  ])(
    "[GA-06] sqlite3 reads no start-up file, runs nothing for a view and leaves nothing beside the file: %s",
    (line, expected) => {
      expect(canonical(line)?.replace("d=a.db; ", "")).toBe(`sqlite3 -safe -init /dev/null ${expected}`);
    },
  );

  it("[GA-05] sqlite3 is read again as it was printed, and only so", () => {
    const printed = canonical("sqlite3 -readonly a.db .tables") ?? "";
    expect(canonical(printed)).toBe(printed.replace("-safe", "-safe -init /dev/null -safe"));
    expect(verdict(printed.replace("a.db-wal", "b.db-wal"))).toBe("dynamic-word: sqlite3 file:a.db?…");
    expect(verdict(printed.replace("immutable=1", "immutable=0"))).toBe("dynamic-word: sqlite3 file:a.db?…");
  });

  it.each([
    ['sqlite3 -readonly "./$x" .tables', "dynamic-word: sqlite3 ./…", "Write the name of the file literally."],
    [
      "sqlite3 -readonly 'file:a.db?vfs=unix-none' .tables",
      "operand: sqlite3 file:a.db?vfs=unix-none",
      "Give the path of the file, not a URI.",
    ],
  ])("[GA-05] sqlite3 opens only a file that is known: %s", (line, expected, why) => {
    expect([verdict(line), hint(line)]).toEqual([expected, why]);
  });

  it.each([
    ["node --version", "env HOME=/dev/null node --version"],
    ["timeout 5 rsync --version", "timeout 5 env HOME=/dev/null rsync --version"],
    // Looks the home folder up in the user database as well.
    ["curl -V", "env HOME=/dev/null curl -q -V"],
  ])("[GA-06] read no settings before they answer: %s", (line, expected) => expect(canonical(line)).toBe(expected));

  it.each([
    ["pip freeze", "pip list --format=freeze"],
    ["pip3 freeze -l --exclude x", "pip3 list --format=freeze -l --exclude x"],
    ["pip -V freeze --all --user", "pip -V list --format=freeze --user"],
    ["pip show freeze", "pip show freeze"],
  ])("[GA-06] pip asks no version control about a project: %s", (line, expected) =>
    expect(canonical(line)).toBe(expected),
  );
});

describe("a question for the version", () => {
  it.each([
    "cmake --version $(ls)",
    "gcc --version $x",
    "make --help *",
    "curl --version $(cat a)",
    "java -version $x",
  ])("[GA-05] has nothing beside it, and nothing that is only known when it runs: %s", (line) => {
    expect(verdict(line)).not.toBe("read");
  });
});
