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

/** A name may be any word; the verb decides. */
it.each(
  linesOf(String.raw`
  kubectl get pod delete-me
  kubectl describe pod remove-old
  kubectl logs delete-job
  kubectl logs -f purge
  kubectl get job/delete-old -o yaml
  kubectl get pods -l app=delete
  kubectl get cronjob prune
  kubectl rollout status deploy/drain
  kubectl create job delete-old --image=x
  kubectl apply -f delete.yaml
  kubectl edit cm remove-x
  kubectl port-forward svc/delete 80
  kubectl get ns drop-zone
  kubectl -n delete get pods
  kubectl --namespace delete get pods
  kubectl --context destroy get pods
  kubectl config use-context delete-me
  kubectl scale deploy delete --replicas=2
  kubectl label pod rm a=b
  kubectl top pod delete-me
  terraform plan -destroy
  terraform show destroy.tfplan
  terraform plan -out destroy
  terraform workspace select destroy
  terraform state show aws_x.delete
  terraform output remove
  terraform state list delete-x
  terraform import x.delete y
  aws s3 ls s3://delete-me
  aws s3 cp a s3://delete-me
  aws s3 cp delete s3://x
  aws lambda invoke --function-name delete-user out.json
  aws lambda get-function --function-name delete
  aws logs tail delete-logs
  aws logs tail /aws/lambda/remove-x
  aws --profile delete s3 ls
  aws ec2 describe-instances
  aws iam get-role --role-name remove-x
  aws dynamodb get-item --table-name delete
  gcloud compute instances list --filter delete
  gcloud compute instances describe delete-me
  gcloud --project delete compute instances list
  gcloud config set project delete-me
  gcloud functions deploy delete-user
  gcloud functions call delete-user
  gcloud run deploy delete-svc --image x
  gcloud run services describe delete
  az vm show -g rg -n delete
  az vm show --name delete-me
  az group show --name remove
  az webapp log tail --name delete
  gh pr view delete-me
  gh pr checkout remove-x
  gh pr create --title delete --body remove
  gh pr create -t delete -b remove
  gh issue create --title "delete" --body "purge"
  gh issue list --label remove
  gh run list --workflow delete
  gh run view 1
  gh workflow run delete.yml
  gh workflow run delete
  gh workflow view remove
  gh search repos delete
  gh search code remove
  gh repo view org/delete
  gh repo clone delete
  gh label create remove
  gh label list
  gh issue view 5
  gh issue close 5
  gh pr merge 5
  gh pr merge 5 --delete-branch=false
  gh api repos/x/y/delete
  gh release view delete
  gh alias set rm 'x'
  glab mr create --title delete
  docker build -t delete .
  docker build -t rm-me .
  docker logs delete
  docker logs prune
  docker inspect rm
  docker pull prune
  docker tag a delete
  docker push delete
  docker start remove
  docker cp a delete:/x
  docker ps --filter name=delete
  docker network create prune
  docker network inspect delete
  docker volume create delete
  docker compose up delete
  docker compose logs remove
  docker compose build prune
  docker compose -f delete.yml up
  docker compose -p delete ps
  docker-compose logs delete
  docker image ls prune
  docker container ls
  docker compose up --remove-orphans
  docker build --rm -t a .
  docker build --force-rm .
  docker run --rm --name delete x
  docker context use delete
  docker save delete -o f
  helm list
  helm install delete ./chart
  helm upgrade delete ./chart
  helm upgrade -i purge ./chart
  helm status delete
  helm template remove .
  helm get values delete
  helm repo add delete https://x
  helm history delete
  pulumi stack select delete
  pulumi up -s destroy
  cdk deploy delete-stack
  cdk diff destroy
  vercel deploy delete
  vercel --prod
  vercel logs delete
  fly deploy --app delete
  fly logs -a delete
  fly status -a destroy
  heroku logs -a delete
  heroku run console -a remove
  heroku apps:info delete
  netlify deploy --dir remove
  firebase deploy --only functions:delete
  wrangler deploy delete
  wrangler tail delete
  vault read secret/delete
  vault kv get secret/remove
  vault write secret/delete a=b
  consul kv get delete
  etcdctl get delete
  nomad job status delete
  vagrant up delete
  vagrant status remove
  virsh list
  virsh start delete
  lxc list delete
  lxc start remove
  zfs list delete
  zfs create pool/delete
  zfs snapshot pool/remove@x
  btrfs subvolume create delete
  nmcli con show delete
  nmcli connection up remove
  borg list delete
  borg create repo::delete x
  restic snapshots --tag delete
  restic backup delete
  mc ls delete
  mc cp a delete/
  s3cmd ls s3://delete
  gsutil ls gs://delete
  gsutil cp a gs://delete
  rclone copy a delete:
  rclone ls remove:
  npm install delete
  npm i rm
  npm run delete
  npm run rm
  npm run clean
  npm rm x
  npm uninstall x
  npm test -- -t delete
  npm cache clean --force
  npm prune
  npm view unpublish
  npm search unpublish
  npm help unpublish
  cargo remove x
  cargo rm x
  cargo test remove
  cargo run -- delete
  cargo add rm
  cargo clean
  cargo uninstall x
  cargo install --list
  yarn remove x
  pnpm remove x
  pip uninstall -y x
  brew uninstall x
  apt-get remove x
  go clean
  go run ./cmd/rm
  make clean
  make delete
  gradle clean
  mvn clean install
  dotnet clean
  mix test test/delete_test.exs
  rails generate migration RemoveX
  rails g model delete
  rails test test/purge
  rake test
  prisma migrate dev --name reset
  flyway info
  mysqladmin ping
  mongosh --eval 'db.users.find({deleted: true})'
  redis-cli --scan --pattern 'del*'
  redis-cli set delete 1
  redis-cli lpush queue del
  wp plugin list
  php artisan make:migration drop_x
  php artisan route:list --path=delete
  python manage.py makemigrations --name delete
  python manage.py shell -c "print(1)"
  systemctl status delete
  supabase migration new delete
  supabase functions deploy delete
  supabase functions new remove
  supabase gen types
  firebase functions:log
  bq query 'select 1'
  bq ls delete
  az account set --subscription delete
  doctl apps list
  doctl compute droplet get delete
  oc get pods delete
  oc new-app delete
  oc logs purge
  argocd app get delete
  argocd app sync remove
  flux get kustomizations
  kustomize build delete
  skaffold dev -p delete
  tilt up delete
  k3d cluster create delete
  kind create cluster --name delete
  kind load docker-image delete
  minikube start -p delete
  eksctl get cluster delete
  serverless deploy --stage delete
  serverless invoke -f delete
  sls invoke -f remove
  sls logs -f delete
  multipass launch -n delete
  multipass info delete
  `),
)("[AE-02, AE-06] a destroying word that is only a name passes: %s", (command) => {
  expect(verdict(command)).toBe("passes");
});
