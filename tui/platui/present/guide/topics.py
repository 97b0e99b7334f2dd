"""What one should know besides the views: safety, signs, keys, JSON for scripts."""

from __future__ import annotations

from typing import Final, NamedTuple

from platui.present.guide.manual import MANUAL


class Topic(NamedTuple):
    """One thing that is explained."""

    title: str
    text: str


TOPICS: Final = {
    "start": Topic(
        "The first minute",
        """\
`platui demo` opens the dashboard on an emulated platform: it needs no account and no network.

`platui init` makes a profile of your own: the address of the platform, a token (it says where one
is made, and with which scopes), a test of both, whether this is production, what to watch.

`platui` opens the triage board: what is broken in all that you watch. enter opens the log at the
error, esc goes back, ? explains the view that you are in and lists its keys, q leaves. 1 to 6 are
triage, projects, pipelines, jobs, schedules and access; : takes a name, a number or an address.
""",
    ),
    "signs": Topic(
        "Signs and colours",
        """\
A status is a sign, a word and a colour, never a colour alone. With --ascii, or where the terminal
has no more, the sign in the second column is drawn.

  ✔  +  success     green
  ✖  x  failed      red
  ●  *  running     blue
  ◌  o  pending     yellow: waits for a runner or for a resource
  …  .  created     grey: waits for a stage before its own
  ■  #  canceled    grey
  »  >  skipped     grey
  ▶  >  manual      violet: waits for somebody to start it
  ◷  @  scheduled   yellow; on the triage board: was due, and did not run
  ◐  %  late        yellow: runs or waits longer than usual

At the top right of each view stands how old it is: ● live (seen just now, and looked at again and
again), ✔ final (it will not change), ◌ stale with its age, ✖ offline since when, and "held" while
polling is paused. Beside it is the gauge: requests of the last minute, of those that the platform
allows. A profile that is production has its name on red.
""",
    ),
    "safety": Topic(
        "What platui changes, and what it never does",
        """\
Few keys and few commands change anything on the platform: those that start, cancel, retry or play,
and those that create, edit or delete. Each says first what it will do, where and on which profile,
and asks; the answer is No unless you say Yes. In the dashboard an answer counts only after you have
seen the question for 0.3 seconds. On the command line nothing is sent without --yes or a terminal.

A profile says what is let through: writes = "off" (nothing at all), "locked" (the default: its name
is typed to open it for 15 minutes, or --unlock NAME for one command) or "confirm" (the question
only). --read-only lets nothing through, whatever a profile says.

A write is sent once. Where its answer is lost you are told so, with what was found instead; it is
not sent again by itself. `platui audit` lists every write from this machine; no secret is in it.

A token is never shown, logged, or sent to another host, and redirects to other hosts are not
followed. Plain http is refused, but for this machine and where a profile says insecure = true. What
a platform sends is shown as text: nothing in it steers the terminal.
""",
    ),
    "json": Topic(
        "JSON, CSV and scripts",
        """\
Standard output is data, standard error is what is told beside it: progress, warnings, questions. So
a pipe or a file gets data alone, and the exit code says how it ended (platui docs exit-codes).

Lists print a table on a terminal; --json prints one object a line, so that a long list can be read
as it comes, and --csv what a spreadsheet takes. Records print one object. What is not known is
null. Keys are added in later versions and not taken away. Moments are ISO 8601 with a zone,
durations are seconds, ids are numbers.

  platui pipelines acme/etl --status failed --json | jq -r .id
  platui triage --json | jq '.broken[] | {incident, cause}'
  platui run acme/etl --ref main --unlock prod --yes --wait && deploy

Long answers end at a limit, and standard error says that there is more: --limit N, or --all.
Inside a pipeline job, where nothing else is said, CI_JOB_TOKEN signs in at CI_SERVER_URL, and the
project is CI_PROJECT_PATH: `platui job` tells of that job, and
`platui trigger --ref REF --unlock HOST --yes` starts a pipeline of its project. It opens little
else; for that, set PLATUI_URL and PLATUI_TOKEN.
""",
    ),
    **{name: Topic(title, text) for name, (title, text) in MANUAL.items()},
}
"""Name of a topic -> what it says. What is counted up in the code is told by the code."""
