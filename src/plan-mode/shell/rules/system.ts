/** The machine: processes, disks, sockets, services, packages. */
import { isIPv6 } from "node:net";
import { stop } from "../verdict.ts";
import { list, needsVerb } from "./rule.ts";
import type { Call, Rule } from "./rule.ts";

const HARMLESS = `ps pgrep pidof pstree pwdx free vmstat iostat mpstat lscpu lsmem lsmod lsusb lsns lsipc lsfd lsirq lslocks
  lsblk findmnt ipcs prtstat lsb_release hostid tty systemd-detect-virt systemd-path
  cpuid acpi vm_stat`;

const READ_ONLY_TPUT = /^(?:cols|lines|colors|longname|bold|sgr0|setaf|setab|smul|rmul|rev|dim|el|\d+)$/;

const noOperandWithEquals = (call: Call): void => {
  for (const { text } of call.operands)
    if (text === undefined || text.includes("=")) stop("known-write", `${call.name} ${text ?? "…"}`);
};

const LOCAL_DATABASES = /^(?:passwd|group|shadow|services|protocols|rpc|gshadow|aliases|shells)$/;

const checkGetent = (call: Call): void => {
  if (!LOCAL_DATABASES.test(call.operands[0]?.text ?? "")) stop("network", `getent ${call.operands[0]?.text ?? "…"}`);
};

const IP_SELECTOR = /^[\w.:@/-]+$/;

const checkIp = (call: Call): void => {
  const verb = call.operands[0]?.text;
  if (verb === undefined && call.operands.length > 0) stop("dynamic-word", call.name);
  if (verb !== undefined && !/^(?:show|list|ls|get|sh|l)$/.test(verb)) stop("known-write", `${call.name} ${verb}`);
  for (const { text } of call.operands.slice(1))
    if (text === undefined || !IP_SELECTOR.test(text)) stop("operand", `${call.name} ${text ?? "…"}`);
};

const SYSTEMCTL_READS =
  "status show cat list-units list-unit-files list-timers list-sockets list-dependencies list-jobs is-active is-enabled is-failed is-system-running get-default show-environment list-machines";

/** A host name would be looked up, and the lookup alone can leak a secret. */
const AS_NUMBERS = ["-n"];
const words = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/));
const SOCKET_STATES =
  words(`established connected synchronized bucket big all listening listen closed close-wait last-ack
  closing unconnected syn-sent syn-recv fin-wait-1 fin-wait-2 time-wait`);
const SOCKET_WORDS = words("sport dport src dst and or not eq ne neq gt ge geq lt le leq");
const SOCKET_PORT = /^:[a-z0-9-]+$/;

const PART_OF_IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.|$)){1,4}(?<!\.)$/;
const ADDRESS_AND_PORT = /^(?=.)(?:(?<v4>[\d.]+)|\[(?<v6>[^\]]+)\]|(?<any>\*?))(?:\/\d{1,3})?(?::(?:\d{1,5}|\*)?)?$/;

/** An address that no name server is asked for; what only looks like one (`.`, `1..2`, `a::b::c`) is taken for a name. */
const isNumericAddress = (text: string): boolean => {
  if (isIPv6(text.replace(/\/\d{1,3}$/, ""))) return true;
  const { v4, v6, any } = ADDRESS_AND_PORT.exec(text)?.groups ?? {};
  if (v4 !== undefined) return PART_OF_IPV4.test(v4);
  return v6 === undefined ? any !== undefined : isIPv6(v6);
};

const isSocketFilter = (text: string): boolean =>
  text
    .split(/[\s()=<>!&|]+/)
    .filter((word) => word !== "")
    .every((word) => SOCKET_WORDS.has(word) || SOCKET_PORT.test(word) || isNumericAddress(word));

/** First come the states, then the filter; whatever is neither is a host's name to ss. */
const checkSs = (call: Call): void => {
  const texts = call.operands.map(({ text }) => text ?? "…");
  let states = 0;
  while (/^(?:state|exclude)$/.test(texts[states] ?? "") && SOCKET_STATES.has(texts[states + 1] ?? "")) states += 2;
  const host = texts.slice(states).find((text) => !isSocketFilter(text));
  if (host !== undefined) stop("operand", `ss ${host}`);
};

const checkArp = (call: Call): void => {
  const named = call.operands.find(({ text }) => text === undefined || !isNumericAddress(text));
  if (named !== undefined) stop("operand", `arp ${named.text ?? "…"}`);
};

const checkLsof = (call: Call): void => {
  const given = [...call.options.flatMap(({ value }) => value ?? []), ...call.operands];
  const named = given.find(({ text }) => !(text ?? "@").split("@").slice(1).every(isNumericAddress));
  if (named !== undefined) stop("operand", `lsof ${named.text ?? "…"}`);
};

export const SYSTEM: readonly Rule[] = [
  { names: HARMLESS, options: "any" },
  {
    names: "hostname",
    options: {
      flags: "fiIsdyav",
      long: "fqdn long ip-address all-ip-addresses short domain alias nis yp version help",
      // The name servers are asked for each address.
      harmful: "-F --file -b --boot -A --all-fqdns",
    },
    operandsMax: 0,
  },
  {
    names: "last lastb",
    options: {
      flags: "aFRwxi",
      valued: "fnpst",
      numeric: true,
      long: "hostlast fulltimes nohostname fullnames system file= limit= since= until= present= ip time-format= help version",
      // Asks a name server for the hosts in the file.
      harmful: "-d --dns",
    },
  },
  { names: "dnsdomainname domainname", options: {}, operandsMax: 0 },
  {
    names: "hostnamectl timedatectl localectl",
    options: { long: "static transient pretty no-pager json= help version" },
    operand: /^(?:status|show|hostname|list-timezones|list-locales)$/,
    operandsMax: 1,
  },
  {
    names: "ss",
    options: {
      flags: "hVHOQnatulxwiempob046szZdSM",
      valued: "fA",
      long: "help version no-header oneline numeric all listening options extended memory processes info summary tos cgroup ipv4 ipv6 packet tcp udp dccp raw unix sctp vsock family= query= context contexts",
      harmful: "-K --kill -D --diag -N --net -F --filter -r --resolve",
    },
    check: checkSs,
  },
  {
    names: "netstat",
    options: {
      flags: "aAnltupxwrisegcvWCoTmMbfL46ZN",
      valued: "I",
      long: "all numeric listening tcp udp unix raw route interfaces statistics programs extend verbose wide timers groups masquerade",
    },
    inject: AS_NUMBERS,
  },
  {
    names: "lsof",
    options: { flags: "aPnlRtUVXKbCHhvNOwQ", valued: "pucd", optional: "iFrLgs", harmful: "-D" },
    inject: AS_NUMBERS,
    check: checkLsof,
  },
  {
    names: "ip",
    options: {
      flags: "46sdohjpNat",
      long: "",
      single: "-br -brief -c -color -j -json -p -pretty -d -details -s -stats -o -oneline -4 -6 -h -human -V -ts",
      harmful: "-b -batch -n -netns -r -resolve",
    },
    operandsEndOptions: true,
    subcommands: [
      {
        names: "a addr address l link r route ro n neigh neighbor neighbour rule ru maddr maddress tunnel netconf",
        options: {},
        check: checkIp,
      },
    ],
  },
  { names: "ifconfig", options: { flags: "asv" }, operandsMax: 1 },
  { names: "route", options: { flags: "neFC46" }, operandsMax: 0, inject: AS_NUMBERS },
  {
    names: "arp",
    options: { flags: "anve", harmful: "-d -s -f" },
    operandsMax: 1,
    inject: AS_NUMBERS,
    check: checkArp,
  },
  { names: "mount", options: { flags: "lv", valued: "t" }, operandsMax: 0 },
  { names: "top", options: { flags: "bciHS1", valued: "ndpuUwo" }, requires: "-b" },
  {
    names: "dmesg",
    options: {
      flags: "TxkuerLtPhV",
      valued: "lf",
      long: "ctime decode kernel userspace level= facility= raw notime nopager color=? reltime time-format= since= until= json help version",
      harmful: "-c -C -D -E -n --clear --read-clear --console-off --console-on --console-level",
    },
  },
  {
    names: "journalctl",
    options: {
      flags: "aqrxklmeN",
      valued: "upotgSUFD",
      optional: "bn",
      numeric: true,
      long: list(`no-pager unit= user-unit= lines= priority= output= since= until= reverse boot=? list-boots dmesg identifier= grep=
        case-sensitive=? all quiet catalog utc no-hostname no-full full fields field= disk-usage header user system merge pager-end
        output-fields= directory= file= help version`),
      harmful:
        "--vacuum-size --vacuum-time --vacuum-files --rotate --flush --sync --cursor-file --setup-keys --relinquish-var --update-catalog -f --follow",
    },
    inject: ["--no-pager"],
  },
  {
    names: "systemctl",
    options: {
      flags: "alqrv",
      valued: "tpno",
      long: "no-pager no-legend plain full all user system type= state= property= lines= output= failed quiet value recursive reverse after before show-types version help",
      harmful: "-H --host -M --machine",
    },
    operandsEndOptions: true,
    inject: ["--no-pager"],
    subcommands: [
      {
        names: SYSTEMCTL_READS,
        options: {
          flags: "alqr",
          valued: "tpno",
          long: "no-pager no-legend plain full all user type= state= property= lines= output= failed quiet value recursive reverse after before",
        },
      },
    ],
  },
  {
    names: "sysctl",
    options: {
      flags: "aAneNbX",
      valued: "r",
      long: "all values names ignore pattern=",
      harmful: "-w --write -p --load --system",
    },
    check: noOperandWithEquals,
  },
  { names: "getent", options: {}, check: checkGetent },
  { names: "tput", options: { valued: "T" }, operand: READ_ONLY_TPUT },
  { names: "crontab", options: { flags: "l" }, requires: "-l", operandsMax: 0 },
  { names: "ldconfig", options: { flags: "pNX", long: "print-cache" }, requires: "-p --print-cache", operandsMax: 0 },
  {
    names: "launchctl",
    options: {},
    operandsEndOptions: true,
    check: needsVerb,
    subcommands: [{ names: "list print print-disabled version", options: {} }],
  },
  { names: "xcode-select", options: { flags: "pv", long: "print-path version" }, operandsMax: 0 },
  {
    names: "defaults",
    options: {},
    operandsEndOptions: true,
    subcommands: [{ names: "read read-type domains", options: {} }],
  },
  { names: "lspci", options: { flags: "vnkmtDbx", valued: "sd" } },
  {
    names: "dpkg",
    options: {
      flags: "lLsSpC",
      long: "audit list listfiles status search print-avail get-selections print-architecture version help",
    },
    requires:
      "-l -L -s -S -p -C --audit --list --listfiles --status --search --print-avail --get-selections --print-architecture --version --help",
  },
  {
    names: "dpkg-query",
    options: { flags: "lWLsSp", valued: "f", long: "list show listfiles status search showformat= version" },
  },
  { names: "nvidia-smi", options: { flags: "Lqh", long: "query-gpu= format= list-gpus query help" }, operandsMax: 0 },
  { names: "update-alternatives", options: { long: "list= display= query= get-selections" }, operandsMax: 0 },
];
