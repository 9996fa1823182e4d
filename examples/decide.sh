#!/bin/sh
# Asks Holdpoint before anything is changed, with nothing but curl. Needs HOLDPOINT_URL and HOLDPOINT_TOKEN (a token that may
# write: holdpoint tokens create my-bot --scope write), and the folder to work in as its first argument.
set -eu
ask() {
  curl --silent --show-error --fail-with-body --header "Authorization: Bearer $HOLDPOINT_TOKEN" \
    --header "Content-Type: application/json" --data "$2" "$HOLDPOINT_URL/agents/v1/$1"
  echo
}
run="\"agent\": \"my-bot\", \"session\": \"${2:-curl}\", \"workspace\": \"$1\""
ask call "{$run, \"tool\": \"exec\", \"args\": {\"command\": \"ls\"}}"
ask call "{$run, \"tool\": \"write\", \"args\": {\"path\": \"made.txt\"}}"
ask plan "{$run, \"plan\": {\"title\": \"Add a file\", \"steps\": [{\"step\": \"write made.txt\"}]}, \"waitMs\": 50000}"
ask call "{$run, \"tool\": \"write\", \"args\": {\"path\": \"made.txt\"}}"
