import type { RefusalCode } from "../verdict.ts";

/** Commands known to have an effect. They are refused like unknown ones; naming them makes the answer "writes" (GA-10). */

const WRITES = `rm rmdir unlink shred srm wipe mv cp install ln link touch mkdir mkfifo mknod mktemp tempfile truncate fallocate dd tee
  chmod chown chgrp chattr setfacl setfattr patch split csplit sponge rename rsync dos2unix unix2dos zip rar mkfs fdisk parted mkswap
  swapon swapoff umount losetup useradd userdel usermod groupadd groupdel passwd chsh chfn chpasswd visudo crontab at batch kill pkill killall
  skill renice reboot shutdown halt poweroff init telinit systemctl service loginctl modprobe insmod rmmod sysctl iptables nft
  ufw apt apt-get aptitude yum dnf zypper pacman apk snap flatpak brew port pip pip3 pipx npm pnpm yarn gem bundle composer cargo
  go mvn gradle make cmake ninja bazel ctags updatedb ldconfig logrotate tic mesg wall write stty setterm mount hostnamectl date nano vi
  vim view nvim emacs ed ex joe micro code ncdu prettier`;
const RUNS = `sh bash zsh dash ash ksh fish csh tcsh python python2 python3 perl ruby node nodejs deno bun php lua tclsh wish expect m4 gdb
  lldb strace ltrace script screen tmux nohup setsid sudo doas su runuser chroot unshare nsenter flock watch entr parallel busybox
  toybox ld.so npx bunx pnpx uvx uv osascript gnuplot java javac gcc g++ cc clang ld as awk sed less more man most pg fzf docker podman
  kubectl helm terraform ansible vagrant gpg gpg2 ssh-keygen openssl rpm hyperfine pytest jest rake go dotnet swift rustc mvnw gradlew`;
const NETWORK = `curl wget ssh scp sftp ftp tftp telnet nc ncat netcat socat ping ping6 traceroute tracepath dig nslookup host whois
  nmap tcpdump w3m lynx links aria2c smbclient ldapsearch mosquitto_pub mosquitto_sub psql mysql mongo mongosh redis-cli gh glab aws gcloud
  az gsutil heroku fly vercel netlify ab hey wrk mail sendmail rclone`;
const SHELL_STATE = `eval exec source . trap alias unalias set shopt enable declare typeset local export readonly unset let mapfile
  readarray getopts shift bind complete compgen compopt history fc hash suspend logout disown wait fg bg pushd popd caller ulimit umask`;
const GIT_WRITES = `add am apply archive backfill bisect branch bundle checkout checkout-index cherry-pick clean clone commit commit-graph
  commit-tree config credential daemon fast-import fetch fetch-pack filter-branch format-patch gc gui hash-object index-pack init
  interpret-trailers maintenance merge merge-file merge-index mv notes pack-objects pack-refs prune pull push read-tree rebase reflog
  refs remote repack replace rerere reset restore revert rm send-email send-pack sparse-checkout stash submodule switch symbolic-ref tag
  unpack-objects update-index update-ref worktree write-tree mktree mktag svn`;

const EFFECTS: ReadonlyMap<string, RefusalCode> = new Map(
  (
    [
      [WRITES, "known-write"],
      [RUNS, "runs-programs"],
      [NETWORK, "network"],
      [SHELL_STATE, "shell-state"],
    ] as const
  ).flatMap(([names, code]) => names.split(/\s+/).map((name): [string, RefusalCode] => [name, code])),
);

const GIT: ReadonlySet<string> = new Set(GIT_WRITES.split(/\s+/));

export const effectOf = (name: string): RefusalCode | undefined => {
  if (name.startsWith("git ")) return GIT.has(name.slice(4)) ? "known-write" : undefined;
  return EFFECTS.get(name.split(" ")[0] ?? name);
};
