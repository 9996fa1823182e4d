"""Asks Holdpoint before anything is changed, with the standard library alone.

Needs HOLDPOINT_URL and HOLDPOINT_TOKEN (holdpoint tokens create my-bot --scope write); the folder is the first argument.
"""
import json
import os
import sys
import urllib.request

RUN = {"agent": "my-bot", "session": sys.argv[2] if len(sys.argv) > 2 else "python", "workspace": sys.argv[1]}


def ask(what, **request):
    asked = urllib.request.Request(
        f"{os.environ['HOLDPOINT_URL']}/agents/v1/{what}",
        data=json.dumps({**RUN, **request}).encode(),
        headers={"Authorization": f"Bearer {os.environ['HOLDPOINT_TOKEN']}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(asked) as answer:
        return json.load(answer)


def may(tool, **args):
    answer = ask("call", tool=tool, args=args)
    print(tool, answer["decision"], answer["reason"])
    return answer["decision"] == "allow"


may("exec", command="ls")
if not may("write", path="made.txt"):
    steps = [{"step": "write made.txt", "acceptanceCriteria": ["it says hello"]}]
    plan = ask("plan", plan={"title": "Add a file", "steps": steps}, waitMs=0)
    print("decide at", plan["review"], flush=True)
    while plan["outcome"] == "pending":
        plan = ask("wait", waitMs=50_000)
    print(plan["outcome"], plan["message"])
may("write", path="made.txt")
