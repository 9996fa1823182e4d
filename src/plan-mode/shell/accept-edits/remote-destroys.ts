import type { Argument } from "./resolve.ts";

/**
 * Things that live outside the folder: containers, clusters, clouds, databases, backups. Their tools say what they do by
 * a verb among the first words; the same few verbs destroy everywhere, and some tools have words of their own.
 */

const set = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/));

const TOOLS =
  set(`docker podman nerdctl docker-compose podman-compose buildah crictl ctr kubectl oc helm k3d kind minikube eksctl k9s
  terraform tofu terragrunt pulumi cdk cdktf serverless sls aws gcloud gsutil bq az doctl heroku fly flyctl vercel netlify firebase
  supabase wrangler railway linode-cli hcloud scw oci ibmcloud gh glab hub rclone mc s3cmd s5cmd azcopy b2 nomad consul vault etcdctl
  virsh vagrant lxc incus multipass vboxmanage qm pct borg restic kopia snapper timeshift zfs zpool btrfs nmcli rabbitmqadmin
  rabbitmqctl kafka-topics kafka-topics.sh influx elasticdump argocd flux istioctl kustomize skaffold tilt`);

const DESTROY = set(
  "delete del rm rmi remove prune destroy purge wipe drop terminate uninstall erase obliterate rb drain teardown unregister",
);
/** `aws ec2 terminate-instances`, `kubectl config delete-context`, `heroku apps:destroy`, `nuke`. */
const DESTROY_IN_WORD =
  /^(?:delete|terminate|purge|remove|destroy|drop|wipe)-|:(?:destroy|delete|remove|reset|purge)$|-(?:delete|destroy|purge)$/;
const WORDS_LOOKED_AT = 4;
/** Behind these stand words of another command, which is looked at by itself. */
const RUNS = set("run exec shell ssh rsh debug attach");

const verbDestroys = (words: readonly string[]): boolean => {
  for (const word of words.slice(0, WORDS_LOOKED_AT)) {
    if (RUNS.has(word)) return false;
    if (DESTROY.has(word) || DESTROY_IN_WORD.test(word)) return true;
  }
  return false;
};

/** Words of their own, over the arguments joined by blanks. */
const PATTERNS: Readonly<Record<string, readonly RegExp[]>> = {
  docker: [/\bcompose\b.*\bdown\b.* (?:-v|--volumes|--rmi)\b/, /\bswarm leave\b/],
  podman: [/\bcompose\b.*\bdown\b.* (?:-v|--volumes|--rmi)\b/, /\bsystem reset\b/],
  "docker-compose": [/\bdown\b.* (?:-v|--volumes|--rmi)\b/],
  kubectl: [/\bapply\b.* --prune\b/, /\breplace\b.* --force\b/],
  terraform: [/\bapply\b.* -destroy\b/],
  tofu: [/\bapply\b.* -destroy\b/],
  terragrunt: [/\bapply\b.* -destroy\b|\bdestroy-all\b/],
  aws: [/\bs3 sync\b.*--delete/],
  rclone: [/^(?:-\S+ )*(?:sync|delete|deletefile|purge|rmdirs?|cleanup|move|moveto)\b/],
  mc: [/\bmirror\b.* --remove\b/],
  gsutil: [/\brsync\b.* -\w*d/],
  heroku: [/pg:reset/],
  supabase: [/\bdb reset\b/],
  restic: [/\bforget\b/],
  zfs: [/^(?:rollback|destroy)\b/],
  vault: [/\bsecrets disable\b/],
  npm: [/^unpublish\b/],
  cargo: [/^yank\b/],
  gem: [/^yank\b/],
  gio: [/^(?:trash|remove)\b/],
  journalctl: [/--vacuum-/],
  tmutil: [/^delete/],
  defaults: [/^delete\b/],
  diskutil: [/erase|partitionDisk|zeroDisk|secureErase/i],
  hdparm: [/--security-erase|--trim-sector/],
  nvme: [/^(?:format|sanitize)\b/],
  cryptsetup: [/\b(?:erase|luksErase|luksFormat)\b/],
  parted: [/\b(?:rm|mklabel|mktable)\b/],
  sgdisk: [/(?:^| )(?:-Z|-z|-o|-d|--zap|--clear|--delete)/],
  fdisk: [/^\/dev\//],
  mdadm: [/--zero-superblock/],
  fallocate: [/(?:^| )(?:-\w*[pcz]\w*|--punch-hole|--collapse-range|--zero-range)(?: |$)/],
  mysqladmin: [/\bdrop\b/i],
  mongosh: [/\.drop(?:Database)?\(|\.(?:delete|remove)(?:Many|One)?\(/],
  mongo: [/\.drop(?:Database)?\(|\.(?:delete|remove)(?:Many|One)?\(/],
  rails: [/db:(?:drop|reset|purge|truncate)/],
  rake: [/db:(?:drop|reset|purge|truncate)/],
  prisma: [/migrate reset|db push .*--force-reset/],
  sequelize: [/db:drop/],
  "sequelize-cli": [/db:drop/],
  typeorm: [/schema:drop/],
  diesel: [/database (?:reset|drop)/],
  sqlx: [/database (?:reset|drop)/],
  mix: [/ecto\.(?:drop|reset)/],
  flyway: [/\bclean\b/],
  liquibase: [/\bdrop-?all\b/i],
  dotnet: [/\bef database drop\b/],
  wp: [/\bdb (?:reset|drop|clean)\b/],
  php: [/\bartisan\b.* ?(?:migrate:(?:fresh|reset|refresh)|db:wipe)\b/],
  artisan: [/(?:migrate:(?:fresh|reset|refresh)|db:wipe)\b/],
  python: [/\bmanage\.py (?:flush|reset_db)\b/],
  "manage.py": [/^(?:flush|reset_db)\b/],
  ansible: [/\bstate=absent\b/],
};

const REDIS_VALUED = set("-h -p -n -a -u -s -r -i --user --pass");
const REDIS = /^(?:flushall|flushdb|del|unlink|hdel|zremrangeby\w+|shutdown|debug)$/i;

const redisDestroys = (words: readonly string[]): boolean => {
  const first = words.findIndex((word, index) => !word.startsWith("-") && !REDIS_VALUED.has(words[index - 1] ?? ""));
  return REDIS.test(words[first] ?? "");
};

/** The interpreter's version is no part of its name here: `python3.12 manage.py flush`. */
const family = (name: string): string => (/^python[\d.]*$/.test(name) ? "python" : name);

export const destroysElsewhere = (name: string, args: readonly Argument[]): boolean => {
  const words = args.map((argument) => argument.text);
  if (name === "redis-cli" || name === "valkey-cli") return redisDestroys(words);
  const patterns = Object.hasOwn(PATTERNS, family(name)) ? PATTERNS[family(name)] : undefined;
  if (patterns?.some((pattern) => pattern.test(words.join(" "))) === true) return true;
  return TOOLS.has(name) && verbDestroys(words.filter((word) => !word.startsWith("-")));
};
