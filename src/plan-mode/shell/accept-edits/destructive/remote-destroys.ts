/**
 * Things that live outside the folder: containers, clusters, clouds, databases, backups. Their tools say what they do by
 * a verb among the first words; the same few verbs destroy everywhere, and some tools have words of their own.
 */
import { namesIn } from "../finding.ts";
import type { Argument } from "../resolve.ts";

const TOOLS =
  namesIn(`docker podman nerdctl docker-compose podman-compose buildah crictl ctr kubectl oc helm k3d kind minikube eksctl k9s
  terraform tofu terragrunt pulumi cdk cdktf serverless sls aws gcloud gsutil bq az doctl heroku fly flyctl vercel netlify firebase
  supabase wrangler railway linode-cli hcloud scw oci ibmcloud gh glab hub rclone mc s3cmd s5cmd azcopy b2 nomad consul vault etcdctl
  virsh vagrant lxc incus multipass vboxmanage qm pct borg restic kopia snapper timeshift zfs zpool btrfs nmcli rabbitmqadmin
  rabbitmqctl kafka-topics kafka-topics.sh influx elasticdump argocd flux istioctl kustomize skaffold tilt`);

const DESTROY =
  namesIn(`delete del rm rmi rmp remove prune destroy purge wipe drop terminate uninstall erase obliterate rb drain teardown unregister
  deregister undefine labelclear deletion`);
/** Whatever stands behind such a verb is a name. */
const KEEP =
  namesIn(`get list ls describe show view tail explain inspect info diff output search help version create new add apply edit patch set
  annotate scale expose rollout autoscale cordon uncordon taint use select import build pull push tag save load cp copy mv sync start
  stop restart up deploy invoke call install upgrade init login logout clone checkout fork merge comment close reopen review read write
  put restore mount validate port wait launch open ps rename update publish dev serve query mkdir cat stat find mb du enable grant`);
/** So it is behind these words, unless the tool has resources of that name. */
const KEEP_OR_NOUN = namesIn(
  "log logs top status history images label events snapshot snapshots backup test plan template proxy watch check",
);
const NOUN_TOOLS = namesIn("aws gcloud az gh glab doctl ctr ibmcloud oci scw hcloud linode-cli");
/** Their first word is a service, never a verb. */
const SERVICE_FIRST = namesIn("aws gcloud az");
/** Behind these stand words of another command, which is looked at by itself. */
const RUNS = namesIn("run exec shell ssh rsh debug attach");
/** `gh run delete 1`: here `run` is a noun. */
const RUN_IS_NOUN = namesIn("gh gcloud");
const WORDS_LOOKED_AT = 4;
const STAGES = namesIn("alpha beta preview");

/** Options before the verb whose value names a place, not an action. */
const PLACES =
  namesIn(`-n --namespace --context --kube-context --kubeconfig --cluster --profile --region --project --project_id --project-name
  --account --configuration --zone -H --host -c --config -R --repo -r -a --app -g --resource-group --subscription -C --cwd -f --file -p
  --endpoint-url --output -o --env-file --stage --stack --org --token --server`);

/** `terminate-instances`, `batch-delete-image`, `apps:destroy`: the parts of a word. */
const partsOf = (word: string): readonly string[] => word.toLowerCase().split(/[-:]/);

const destroys = (word: string): boolean => partsOf(word).some((part) => DESTROY.has(part));
const keeps = (word: string, name: string): boolean => {
  const parts = partsOf(word);
  const verb = (word.includes(":") ? parts.at(-1) : parts[0]) ?? "";
  return KEEP.has(verb) || (KEEP_OR_NOUN.has(verb) && !NOUN_TOOLS.has(name));
};

/** The first verb decides, whether it destroys or not: `kubectl get pod delete-me` shows a pod. */
const verbDestroys = (name: string, args: readonly string[]): boolean => {
  const isWord = (word: string, index: number): boolean =>
    !word.startsWith("-") && !PLACES.has(args[index - 1] ?? "") && !STAGES.has(word);
  const words = args.filter(isWord).slice(0, WORDS_LOOKED_AT);
  for (const [index, word] of words.entries()) {
    const isNoun = index === 0 && (SERVICE_FIRST.has(name) || (RUN_IS_NOUN.has(name) && word === "run"));
    if (!isNoun && (RUNS.has(word) || keeps(word, name))) return false;
    if (destroys(word)) return true;
  }
  return false;
};

/** A request that removes something, unless it goes to the service that is being worked on. */
const DELETE_REQUEST =
  /^(?!.*(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]))(?:.*(?:-X ?|--request[ =]|--method[ =])|(?:-\S+ )*)DELETE\b/i;

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
  gh: [/^api\b.*(?:-X|--method)[ =]?DELETE\b/i, /^pr close\b.* (?:-d|--delete-branch)\b/],
  glab: [/^api\b.*(?:-X|--method)[ =]?DELETE\b/i],
  railway: [/^down\b/],
  tilt: [/^down\b/],
  nomad: [/\bstop\b.* -purge\b/],
  mc: [/\bmirror\b.* --remove\b/],
  gsutil: [/\brsync\b.* -\w*d/],
  heroku: [/pg:reset/],
  supabase: [/\bdb reset\b/],
  restic: [/\bforget\b/],
  zfs: [/^(?:rollback|destroy)\b/],
  vault: [/\bsecrets disable\b/],
  cmake: [/^-E (?:rm|remove|remove_directory)\b/],
  hdfs: [/(?:^| )-(?:rm|rmr|rmdir|expunge|truncate)\b/],
  hadoop: [/(?:^| )-(?:rm|rmr|rmdir|expunge|truncate)\b/],
  "systemd-tmpfiles": [/--(?:remove|purge)\b/],
  curl: [DELETE_REQUEST],
  wget: [DELETE_REQUEST],
  http: [DELETE_REQUEST],
  xh: [DELETE_REQUEST],
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

const REDIS_VALUED = namesIn("-h -p -n -a -u -s -r -i --user --pass");
const REDIS = /^(?:flushall|flushdb|del|unlink|hdel|zremrangeby\w+|shutdown|debug)$/i;

const REDIS_SCRIPT = /\bredis\.p?call\(\s*["'](?:flush|del|unlink)/i;

const redisDestroys = (words: readonly string[]): boolean => {
  const first = words.findIndex((word, index) => !word.startsWith("-") && !REDIS_VALUED.has(words[index - 1] ?? ""));
  return REDIS.test(words[first] ?? "") || words.some((word) => REDIS_SCRIPT.test(word));
};

const REMOVES_REMOTE_FILE = /(?:^|[;\n])\s*(?:m?rm|rmdir|m?del|m?delete)\b/i;
const FILE_CLIENTS = namesIn("sftp ftp lftp smbclient");
const REDIS_CLIENTS = namesIn("redis-cli valkey-cli");
const CONNECTIONS = namesIn("nc ncat netcat telnet socat");

/** Orders that a client reads from its input, or from an argument: to memcached and redis, to a server of files. */
export const ordersDestroy = (name: string, args: readonly Argument[], said: string): boolean => {
  if (FILE_CLIENTS.has(name))
    return [said, ...args.map(({ text }) => text)].some((text) => REMOVES_REMOTE_FILE.test(text));
  const lines = said.split("\n").map((line) => line.trim());
  if (REDIS_CLIENTS.has(name)) return lines.some((line) => redisDestroys(line.split(/\s+/)));
  return CONNECTIONS.has(name) && lines.some((line) => /^flush(?:_all|all|db)\b/i.test(line));
};

export const isTool = (name: string): boolean => TOOLS.has(name);

/** The interpreter's version is no part of its name here: `python3.12 manage.py flush`. */
const family = (name: string): string => (/^python[\d.]*$/.test(name) ? "python" : name);

export const destroysElsewhere = (name: string, args: readonly Argument[]): boolean => {
  const words = args.map((argument) => argument.text);
  if (REDIS_CLIENTS.has(name)) return redisDestroys(words);
  const patterns = Object.hasOwn(PATTERNS, family(name)) ? PATTERNS[family(name)] : undefined;
  if (patterns?.some((pattern) => pattern.test(words.join(" "))) === true) return true;
  return TOOLS.has(name) && verbDestroys(name, words);
};
