import { expect, it } from "vitest";
import { judgeAcceptEdits } from "../../shell-gate.ts";

const verdict = (command: string): string => {
  const judged = judgeAcceptEdits({ tool: "exec", command }, { cwd: "/w", home: "/home/u" });
  return judged.allowed ? "passes" : judged.class;
};

const linesOf = (text: string): readonly string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

it.each(
  linesOf(String.raw`
  kubectl delete pod x
  kubectl -n x delete pod y
  kubectl --context c --namespace n delete pod y
  kubectl drain node1
  kubectl config unset users.x ; kubectl delete x
  kubectl config delete-cluster x
  kubectl get pods -o name | xargs kubectl delete
  kubectl --kubeconfig f delete ns x
  kubectl apply --prune -f x
  terraform destroy -auto-approve
  terraform -chdir=x destroy
  terraform state rm x
  terraform workspace delete x
  terraform apply -destroy
  aws s3 rm s3://x --recursive
  aws s3 rb s3://x --force
  aws --profile p s3 rm s3://x
  aws --region us-east-1 --profile p ec2 terminate-instances --instance-ids i
  aws ec2 delete-volume --volume-id x
  aws iam delete-role --role-name x
  aws rds delete-db-instance --db-instance-identifier x
  aws ecr batch-delete-image --repository-name x
  aws dynamodb delete-item --table-name x
  aws sqs purge-queue --queue-url x
  aws cloudformation delete-stack --stack-name x
  aws logs delete-log-group --log-group-name x
  aws s3api delete-bucket --bucket x
  aws s3api delete-objects --bucket x
  aws ec2 deregister-image --image-id x
  aws kms schedule-key-deletion --key-id x
  gcloud compute instances delete x
  gcloud projects delete x
  gcloud --project p compute disks delete x
  gcloud beta run services delete x
  gcloud alpha compute instances delete x
  gcloud container clusters delete x
  gcloud storage rm gs://x
  gcloud sql databases delete x --instance y
  gcloud beta compute instance-groups managed delete x
  gsutil rm gs://x
  gsutil -m rm -r gs://x
  gsutil rb gs://x
  az group delete -n x
  az vm delete -g g -n x
  az storage blob delete-batch -s x
  az network vnet subnet delete -n x
  az keyvault purge -n x
  az --debug group delete -n x
  gh repo delete x
  gh pr close 5 --delete-branch
  gh release delete v1
  gh release delete-asset v1 x
  gh issue delete 5
  gh label delete x
  gh secret delete x
  gh secret remove x
  gh variable delete x
  gh run delete 1
  gh cache delete x
  gh cache delete --all
  gh gist delete x
  gh ssh-key delete 1
  gh api -X DELETE repos/x/y
  gh api repos/x/y --method DELETE
  gh api --method=DELETE repos/x/y
  gh -R o/r release delete v1
  gh release -R o/r delete v1
  glab mr delete 5
  glab repo delete x
  glab api -X DELETE x
  docker rm x
  docker rmi x
  docker container rm x
  docker container prune -f
  docker image rm x
  docker image prune
  docker volume rm x
  docker volume prune
  docker network rm x
  docker system prune
  docker builder prune
  docker buildx prune
  docker buildx rm x
  docker context rm x
  docker -c ctx rm x
  docker --context x rm y
  docker compose rm -f
  docker compose -f x.yml rm
  docker compose down -v
  docker compose down --volumes
  docker compose -f a -f b down -v
  docker stack rm x
  docker service rm x
  docker secret rm x
  docker manifest rm x
  docker compose down --rmi all
  helm uninstall x
  helm delete x
  helm -n x uninstall y
  helm --namespace x uninstall y
  helm --kube-context c uninstall y
  helm repo remove x
  helm plugin uninstall x
  pulumi destroy
  pulumi stack rm x
  pulumi state delete x
  pulumi -C d destroy
  cdk destroy
  serverless remove
  sls remove --stage x
  vercel rm x
  vercel remove x
  vercel env rm X
  vercel domains rm x
  vercel project rm x
  fly apps destroy x
  fly volumes delete x
  fly machine destroy x
  fly -a x volumes destroy y
  heroku apps:destroy x
  heroku pg:reset
  heroku addons:destroy x
  heroku domains:remove x
  heroku addons:destroy x -a y
  netlify sites:delete x
  firebase firestore:delete x
  firebase functions:delete x
  firebase hosting:disable; firebase database:remove /x
  supabase projects delete x
  supabase functions delete x
  wrangler delete
  wrangler kv namespace delete --namespace-id x
  wrangler kv key delete x
  wrangler kv:key delete x
  wrangler r2 bucket delete x
  wrangler r2 object delete x
  wrangler d1 delete x
  wrangler secret delete X
  railway down
  vault delete secret/x
  vault kv delete secret/x
  vault kv destroy secret/x
  vault kv metadata delete secret/x
  vault secrets disable x
  vault policy delete x
  consul kv delete x
  etcdctl del x
  etcdctl --endpoints x del y
  nomad job stop -purge x
  vagrant destroy -f
  vagrant box remove x
  virsh undefine x
  virsh destroy x
  virsh vol-delete x
  lxc delete x
  lxc image delete x
  multipass delete x
  multipass purge
  zfs destroy x
  zpool destroy x
  zpool labelclear x
  btrfs subvolume delete x
  nmcli con delete x
  nmcli connection del x
  borg delete x
  borg prune x
  restic forget x
  restic prune
  restic -r repo forget x
  snapper delete 1
  s3cmd del s3://x
  s3cmd rb s3://x
  mc rm x
  mc rb x
  rclone delete x:
  rclone purge x:
  bq rm x
  bq rm -f -t x
  bq --project_id p rm -t x
  oc delete pod x
  oc -n x delete pod y
  oc adm prune images
  argocd app delete x
  argocd cluster rm x
  flux uninstall
  flux delete source git x
  skaffold delete
  tilt down
  k3d cluster delete x
  k3d cluster rm x
  kind delete cluster
  minikube delete
  eksctl delete cluster x
  doctl compute droplet delete x
  doctl apps delete x
  doctl kubernetes cluster delete x
  doctl databases user delete x y
  hcloud server delete x
  scw instance server delete x
  scw instance server terminate x
  linode-cli linodes delete 1
  oci compute instance terminate --instance-id x
  ibmcloud resource service-instance-delete x
  ibmcloud is instance-delete x
  npm unpublish x
  npm deprecate x y; npm unpublish x -f
  cargo yank x
  gem yank x
  npm access revoke x; npm unpublish x
  podman rm x
  podman pod rm x
  podman volume prune
  nerdctl rm x
  crictl rmp x
  crictl rmi x
  ctr images rm x
  buildah rm x
  `),
)("[AE-02] the verb destroys wherever the tool lets it stand: %s", (command) => {
  expect(verdict(command)).toBe("destructive");
});

it.each([
  ["curl -X DELETE https://api.example.org/a", "curl -X POST https://api.example.org/a"],
  ["curl -XDELETE https://api.example.org/a", "curl -X DELETE http://localhost:3000/a"],
  ["curl --request DELETE https://a.example", "curl --request DELETE http://127.0.0.1/a"],
  ["curl --request=delete https://a.example", "curl https://a.example/DELETE"],
  ["wget --method=DELETE https://a.example", "wget --method=PUT https://a.example"],
  ["http DELETE https://a.example", "http GET https://a.example/delete"],
  ["http -v --json delete https://a.example", "http delete :3000/a localhost"],
  ["xh DELETE https://a.example", "xh https://a.example DELETED=1"],
  ["gh api -X DELETE repos/a/b", "gh api repos/a/b -X GET"],
  ["gh api --method=DELETE repos/a/b", "gh issue create -b 'api -X DELETE'"],
  ["gh pr close 5 -d", "gh pr close 5"],
  ["gh pr close 5 --delete-branch", "gh pr merge 5 --delete-branch"],
  ["railway down", "railway up down"],
  ["tilt down", "tilt ci down"],
  ["nomad job stop -purge a", "nomad job stop a"],
  ["cmake -E rm a", "cmake -E copy rm a"],
  ["cmake -E remove_directory a", "cmake -B rm"],
  ["hdfs dfs -rm -r /a", "hdfs dfs -ls /a"],
  ["hadoop fs -rmr /a", "hadoop fs -put a"],
  ["systemd-tmpfiles --remove", "systemd-tmpfiles --create"],
  ["echo FLUSHALL | redis-cli", "echo PING | redis-cli"],
  ["redis-cli <<< 'DEL a'", "redis-cli <<< 'GET del'"],
  [String.raw`printf 'PING\n  flushdb\n' | valkey-cli`, String.raw`printf 'PING\nGET a\n' | valkey-cli`],
  [`redis-cli eval "redis.call('FLUSHALL')" 0`, `redis-cli eval "redis.call('GET', 'del')" 0`],
  [`redis-cli eval "redis.pcall( 'del', 'a')" 0`, "redis-cli lpush queue del"],
  ["echo flush_all | nc h 1", "echo flush_all | cat"],
  ["echo ' FLUSHALL' | ncat h 1", "echo flushed | ncat h 1"],
  ["sftp h <<< 'rm a'", "sftp h <<< 'get rm'"],
  ["lftp -e 'ls; mrm *' h", "lftp -e 'mirror a; ls' h"],
  ["ftp h <<< 'mdelete a'", "ftp h <<< 'get deleted'"],
  ["podman compose -f a down -v", "podman compose -f a down"],
  ["rclone --verbose sync a b", "rclone --verbose ls sync"],
  ["gh api repos/a/b -XDELETE", "gh apis -X PUT"],
  ["gh pr close 5 -c x -d", "gh repo view pr close -d"],
  ["glab api -X DELETE a", "glab mr view api -X DELETE"],
  ["glab api a/b --method=DELETE", "glab api a/b"],
  ["glab api a -XDELETE", "glab api a -XPUT"],
  ["gsutil rsync -rd a b", "gsutil rsync -r d b"],
  ["cmake -E remove a", "cmake -P x -E rm a"],
  ["hdfs -rm a", "hdfs dfs x-rm a"],
  ["hadoop -rm a", "hadoop fs x-rm a"],
  ["tmutil delete a", "tmutil list delete"],
  ["fallocate -cl 1 a", "fallocate -l c a"],
  ["fallocate a -p", "fallocate a p"],
  ["fallocate -zn a", "fallocate -nl 1 a"],
  ["mongosh --eval 'db.a.remove({})'", "mongosh --eval 'db.a.removed({})'"],
  ["mongo --eval 'db.a.drop()'", "mongo --eval 'db.a.dropped()'"],
  ["mongo --eval 'db.a.delete()'", "mongo --eval 'db.a.deleted()'"],
  ["php artisan -q migrate:fresh", "php artisan -q migrate:status"],
  ["redis-cli hdel a b", "redis-cli mydel a"],
  ["ftp h <<< 'delete a'", "ftp h <<< 'ls delete'"],
  [String.raw`printf 'stats\nflush_all\n' | nc h 1`, "echo noflush_all | nc h 1"],
  ["python3 manage.py flush", "mypython manage.py flush"],
  ["python2.7 manage.py flush", "pythonx manage.py flush"],
  ["aws deploy delete-application --application-name a", "aws deploy list-applications"],
  ["gcloud deploy targets delete a", "gcloud deploy targets list delete"],
  ["smbclient //h/s -c 'del a'", "smbclient //h/s -c 'get a'"],
])("[AE-02, AE-06] holds %s, and lets %s pass", (destroys, harmless) => {
  expect([verdict(destroys), verdict(harmless)]).toEqual(["destructive", "passes"]);
});
