/**
 * Commands known to have an effect. They are refused like unknown ones; naming them makes the answer "writes" (GA-10).
 * Names that have a rule are not here, except where the rule is about verbs and an unknown verb is to count as a write.
 */
import type { ShellRefusalCode } from "../verdict.ts";

const WRITES = `rm rmdir unlink shred srm wipe mv cp install ln link touch mkdir mkfifo mknod mktemp tempfile truncate
  fallocate dd chmod chown chgrp chattr setfacl setfattr patch split csplit sponge rename dos2unix unix2dos rar mkfs
  fdisk parted mkswap swapon swapoff umount losetup useradd userdel usermod groupadd groupdel passwd chsh chfn
  chpasswd visudo at batch kill pkill killall skill renice reboot shutdown halt poweroff init telinit systemctl
  service loginctl modprobe insmod rmmod iptables nft ufw apt apt-get aptitude yum dnf zypper pacman apk snap flatpak
  brew port pip pip3 pipx npm pnpm yarn gem bundle composer cargo mvn gradle bazel updatedb logrotate tic mesg wall
  write stty setterm nano vi view ed ex joe micro ncdu prettier`;
const RUNS = `sh ash ksh csh tcsh tclsh wish expect m4 ltrace script nohup setsid sudo doas su runuser chroot unshare
  nsenter flock entr busybox toybox ld.so npx bunx pnpx uvx osascript gnuplot more most pg kubectl helm terraform
  ansible vagrant gpg gpg2 ssh-keygen openssl rpm pytest jest rake go dotnet rustc mvnw gradlew uv tsc docker-compose deno bun`;
const NETWORK = `scp sftp ftp tftp telnet nc ncat netcat socat ping ping6 traceroute tracepath dig nslookup host whois
  nmap tcpdump w3m lynx links aria2c smbclient ldapsearch mosquitto_pub mosquitto_sub mongo mongosh redis-cli glab aws
  gcloud az gsutil heroku fly vercel netlify ab hey wrk mail sendmail`;
const SHELL_STATE = `eval exec source . unalias enable typeset local readonly unset let getopts
  shift bind complete compgen compopt fc suspend logout disown wait fg bg pushd popd caller`;
const GIT_WRITES = `add am apply archive backfill bisect bundle checkout checkout-index cherry-pick clean clone commit
  commit-graph commit-tree credential daemon fast-import fetch fetch-pack filter-branch format-patch gc gui
  hash-object index-pack init interpret-trailers maintenance merge merge-file merge-index mv notes pack-objects
  pack-refs prune pull push read-tree rebase refs remote repack replace rerere reset restore revert rm send-email
  send-pack sparse-checkout stash submodule switch unpack-objects update-index update-ref worktree write-tree mktree
  mktag svn`;
/** Verbs that only ask somebody elsewhere, of programs that change something in general. */
const ASKS_NETWORK: Readonly<Record<string, string>> = {
  npm: "view info show v outdated search find ping whoami",
  pnpm: "view info show outdated search",
  yarn: "outdated",
  pip: "index search",
  pip3: "index search",
  cargo: "search info",
  gem: "search outdated",
  composer: "outdated search",
  brew: "search outdated",
  snap: "find",
};

const EFFECTS: ReadonlyMap<string, ShellRefusalCode> = new Map(
  (
    [
      [WRITES, "known-write"],
      [RUNS, "runs-programs"],
      [NETWORK, "network"],
      [SHELL_STATE, "shell-state"],
      [GIT_WRITES.replaceAll(/\S+/g, "git:$&"), "known-write"],
    ] as const
  ).flatMap(([names, code]) => names.split(/\s+/).map((name): [string, ShellRefusalCode] => [name, code])),
);

const ASKING: ReadonlySet<string> = new Set(
  Object.entries(ASKS_NETWORK).flatMap(([name, verbs]) => verbs.split(" ").map((verb) => `${name} ${verb}`)),
);

/** The effect of a command, by its name or by its name and verb. */
export const effectOf = (name: string): ShellRefusalCode | undefined =>
  ASKING.has(name) ? "network" : EFFECTS.get(name.replace(/^git /, "git:").replace(/ .*/, ""));
