"""What is done from the command line, at length: the README has the short of it."""

from __future__ import annotations

from typing import Final

MANUAL: Final = {
    "lists": (
        "Lists and records from the command line",
        """\
  platui namespaces                       groups, and places of users' projects
  platui projects --last-run              and how the newest pipeline of each is
  platui pipelines etl --status failed    of a project, newest first
  platui pipeline etl 4711                all of one: variables, jobs, children
  platui jobs etl 4711                    by stage; without a number, all jobs
  platui job etl dbt_run                  all of one
  platui schedules etl                    and when each runs next
  platui file etl nightly-ci.yml          checked against its sha256; --ref v2
  platui file https://…/pipelines/4711    the file this pipeline was made from

On a terminal it is a table that fits; into a pipe its texts are whole. --json prints an object a
line, --csv what a spreadsheet takes without harm; both come page by page, so that `| head` and
ctrl+c keep what was read. Fifty come, or --limit N, or --all; standard error says how many more
there are, and for how many seconds the quota makes it wait.

`etl` is enough of `acme/ingestion/etl` where no other path ends like it, and the address of any
page of the platform will do.

`eval "$(platui completion bash)"` (or zsh, fish) completes commands, options, profiles, and the
projects that were listed before.
""",
    ),
    "logs": (
        "Logs from the command line",
        """\
  platui log https://platform.example.com/acme/etl/-/jobs/412
  platui log acme/etl dbt_run --follow | tee run.log
  platui log acme/etl dbt_run --errors
  platui log --file job.log
  zcat job.log.gz | platui log --file -

On a terminal a log opens in the dashboard's view. Into a pipe, or with --follow, --errors,
--section NAME, --stamps, --raw or --color, it is printed: clean text without a control byte, unless
--raw asks for the platform's own. --follow ends as the job does. A saved log needs neither profile
nor network, may be of any size, and with --follow is shown as it grows.
""",
    ),
    "incidents": (
        "Triage from the command line",
        """\
  platui triage watch acme/warehouse-core acme/finance/
  platui triage
  platui triage --watch
  platui triage --check --group acme/finance || page-somebody
  platui triage ack warehouse-core
  platui triage ack --cause kxmlq
  platui triage snooze warehouse-core#4711 --until 08:00
  platui triage note warehouse-core "vendor is informed"
  platui triage --markdown > handoff.md
  platui triage history --csv

A path with a slash at its end is a whole group. Watch list, acknowledgements, snoozes, notes and
owners are those of the dashboard, of this profile, on this machine; --project and --group ask
without changing them. An incident is called PROJECT#PIPELINE, by its first red pipeline; the end of
the path alone does where it is clear. --check ends with 1 where something is broken and nobody
knows of it yet.

A cause that several incidents have stands above them, with its key, the number of projects and
since when it is there. The key is the same in every listing, and the begin of it that is shown
names it; --json and --csv tell it whole. Below it are five of them on a terminal, and all of them
in a pipe or with --all. What is acknowledged or snoozed stands below what is broken. Where the
platform did not tell all of it now, the first line says how old the rest is, and the exit code is
3.

Late is what runs longer than usual (slow), a job that waits for a runner longer than usual, or than
15 minutes (waiting), a log that has not grown for 10 minutes, which a board that stays open sees
(silent), and a schedule that was due and did not run (missed).

--json is one object, of the schema platui.triage/1: whether it is_live, counts, causes, and the
lists broken, late, running and recovered. Incidents with equal signature.key have one cause. With
--watch it is an object a line, with an event: opened, new_signature, returned, cause, late,
recovered, ended, acked or snoozed.
""",
    ),
    "writes": (
        "Writes from the command line",
        """\
  platui run acme/etl --ref main --var DAY=2026-03-14 --secret API_KEY
  platui run acme/etl --ref main --unlock prod --yes --wait && deploy
  platui trigger acme/etl --ref main --follow
  platui wait https://platform.example.com/acme/etl/-/pipelines/4711
  platui retry acme/etl 4711 --dry-run
  platui schedule run acme/etl 7
  platui audit

run, trigger, cancel, retry, play, schedule create, edit, run, own and delete, and project create:
each says what it will do, where and on which profile, and asks; --yes answers. Without a terminal
and without --yes nothing is sent. --dry-run shows the request and sends nothing.

A profile whose writes are locked, as all are at first, wants its name typed, or --unlock NAME;
where only the environment tells of the platform, NAME is its host. One with writes = "off" refuses.
Where several profiles could be meant, a write asks for --profile (or PLATUI_PROFILE, or
default_profile in the file); only reading takes the first.

A secret is never given in clear: --secret KEY asks for it, --secret KEY=@FILE and
--secret KEY=env:NAME read it. trigger needs nothing but the project's trigger token; to --wait or
--follow takes an access token, too. schedule delete wants the schedule's description besides the
yes: typed, or as --confirm NAME.

Standard output is data: the new pipeline's id and address, or one object with --json. A write is
sent once. Where its answer is lost, that is said, and what was found instead ("probably yours"),
with exit code 5. Ctrl+C ends a waiting, never the pipeline.
""",
    ),
    "reports": (
        "Access reports",
        """\
Who holds which level in which group and project: the administration API tells it an organization
that has opted in. It takes an address and a key of its own (admin_url and admin_key_command in the
profile, or PLATUI_ADMIN_URL and PLATUI_ADMIN_KEY), and no access token.

  platui report fetch
  platui report show level:owner -state:active
  platui report show --person jane@example.com
  platui report diff
  platui report export --what memberships 'group:finance*' -o finance.csv

A report that another program fetched is as good, of any size, packed or not, without a profile:

  echo "Authorization: Bearer $PLATUI_ADMIN_KEY" |
    curl --fail --compressed -H @- -H 'accept: application/json' \\
      "$PLATUI_ADMIN_URL/api/v1/reporting/report" | platui report import -

import --date says when a file was fetched. list tells what is kept, and what of it cannot be opened
any more; forget removes one, after a question; terms tells what can be searched by, docs where the
API is documented.

Reports are kept readable by you alone: the platform gives no report of an earlier day again. The
newest stay ([reports] keep), and beyond those the last one of each month (keep_monthly); what a new
one drops is said.

It is a roll-up of daily snapshots over a period: for utilization, not for security auditing, and
only since the organization opted in. Every export says so above its rows.
""",
    ),
    "credentials": (
        "Where a token comes from",
        """\
A token is taken from the environment (PLATUI_TOKEN), else from the profile's token_command, else
from the system's keyring (token_keyring = true, with the extra "keyring" installed), else from a
file that only you can read (credentials/NAME.token beside config.toml, mode 0600). Inside a
pipeline job, where nothing else is set, CI_JOB_TOKEN is used for the little that the platform opens
to it. It goes to CI_SERVER_URL: where whoever starts a pipeline may set its variables, and is not
trusted with the job's token, set PLATUI_URL in the job itself.

Trigger tokens belong to one project each: type one in the form and it is kept the same way, or name
a trigger_token_command, in whose words {project} stands for the project. The organization's key has
the same ways: PLATUI_ADMIN_KEY, admin_key_command, admin_key_file.

`platui doctor` says which one is used, whose it is, what it may and when it ends, and never what it
is.
""",
    ),
    "notices": (
        "Being told",
        """\
Whoever looks elsewhere is told what breaks on a default branch, with its cause, and what is green
again: by a toast, by the terminal (OSC 9, 777 or 99; inside tmux with `allow-passthrough on`) and
by the window's title. W on a pipeline tells when it ends, however it ends.

  [notify]
  bell = true             # off unless you say so
  desktop = "auto"        # or osc9, osc777, osc99, off
  title = true            # platui prod ✖ 2
  branches = "main"       # or all
""",
    ),
    "budget": (
        "What it costs",
        """\
The platform grants 600 requests a minute, shared by everything you run. The gauge at the top right
counts them (~ while the platform has not said its own count); :requests shows each, with its time
and what it brought. Only what is on the screen is fetched, unchanged answers cost no transfer where
the platform gives an ETag, and what cannot change any more (the log of a finished job) is asked for
once.

The triage board asks for one list of each watched project a round, spread over the interval, and
for the jobs and the log of a failed pipeline once. Rounds stretch when the budget is short, and
what you wait for goes before all of it. When the quota is spent platui waits, counts down, and goes
on by itself. All platui processes of one user on one machine share the count.
""",
    ),
    "keeping": (
        "What is kept on this machine",
        """\
  platui cache info
  platui cache info --profile prod --json
  platui cache clear
  platui cache clear --what sent --profile old

Can be fetched again, and goes with `platui cache clear` (quota by its name only):

  pages     answers of platforms: 200 MB with logs, or max_mb in [cache]
  logs      logs of finished jobs
  places    rows of the last visit: 150, and 400 incidents a profile; 90 days
  quota     requests of the last two minutes, which all processes share

Cannot, and goes only by its name, after a question:

  choices   the zone of times, and which acts were explained
  triage    watch list, 500 marks (acknowledged, noted), 500 past incidents
  sent      300 pipelines and 300 schedules, without secrets; 400 days
  audit     every write from here: six files of 2 MB
  reports   access reports: keep and keep_monthly in [reports]
  tokens    tokens in files of their own
  copied    a text that no clipboard took: one, 7 days
  damaged   files that were put aside: 180 days

Once a day, behind what you do, platui removes what has had its days, what processes left that were
killed, and what is above a cap that was lowered. Nothing else of yours is touched.

A file that cannot be read is put aside (its name ends with .damaged), a sentence says where, and
what lasts goes on as it was before its last change. One of a newer platui is never written over:
what you say then holds until you leave. Any number of platui processes share all of it.
""",
    ),
    "platform": (
        "A platform on your own machine",
        """\
`platui emulator` serves the platform's two HTTP APIs on loopback, for people who write
orchestrators against them. It prints one line of JSON when it is ready, with addresses, a token
and a project:

  platui emulator --port 8080 --seed 7
  platui emulator --scenario huge-log --log-bytes 1000000000
  platui emulator --scenario huge-report --report-users 200000
  platui emulator --scenario hostile
  platui emulator --spec-only

Pipelines run in real time and can be started, retried, canceled, played, erased and deleted as on
the platform. One started with the variable _FAIL_JOB=JOB fails in that job, with _FAIL_TIMES=2 as
well only in its first two attempts; with _FLAKY_JOB=JOB that job fails once and passes then.

  curl -X POST http://127.0.0.1:8080/api/v4/projects/PROJECT/trigger/pipeline \\
    -d token=TRIGGER_TOKEN -d ref=main -d 'variables[_FAIL_JOB]=dbt_run'
  curl -s http://127.0.0.1:8080/-/emulator/ | python3 -m json.tool

PROJECT and TRIGGER_TOKEN stand in that first line; the slashes of a path are written %2F. The
second address lists what else can be asked of it: a credential of every kind, good and bad, with
what each is for; limits and allowlists, faults, and the requests so far. Artifacts come by
redirect from a storage on a port of its own, which refuses every token handed on to it, and notes
it.

It also listens on faults_url, where the same platform can be made to fail: slow, over its quota,
cut off in mid-answer, behind a proxy's login page, and so on. --fault reset_during:/trace sets
one from the start, POST /-/emulator/faults one at any time; `platui emulator --help` lists the
kinds.
""",
    ),
}
"""Name of a topic -> its title and its text."""
