"""What each view of pipelines, jobs and logs shows, for who sees it for the first time.

`{action.id}` stands for the key of an action of that view, as it is bound: no key is written out.
"""

from __future__ import annotations

from typing import Final

VIEWS: Final = {
    "triage": """\
What is broken in the projects that you watch, worst first. An incident is a run of red
pipelines of one project and ref that is not green again; "14 red since 13:57" counts its
pipelines, and the line below is why its newest one failed. Incidents with one cause stand
together below one row.

✖ red: broken. ◐ yellow: late, or waiting for a runner. ◷ a schedule that did not run. ● blue:
runs now. ✔ green: recovered today. Grey: somebody knows of it. Incidents leave by themselves
when green.

Next: {table.open} opens the log at the error, {triage.since} tells what changed since it was
green, {triage.acknowledge} says that it is known, {triage.hand_off} writes the board down for
who comes next. {watch.choose} chooses what is watched.
""",
    "projects": """\
Every project that you may see, in the order of their groups, and how the last pipeline of each
ended. That costs a request each, so it is asked for what is in sight; the line above says of
how many it is known. On a wide screen the groups stand to the left: {projects.namespaces} goes
there.

★ before the name: it is watched, so it is on the triage board; {watch.toggle} changes that. ✔
green, ✖ red, ● blue (running) and so on are the states of the last pipeline, on whatever ref.

Next: {table.open} opens a project's pipelines, {list.filter} filters what is loaded,
{projects.search} asks the platform for projects with other words.
""",
    "pipelines": """\
The pipelines of one project, newest first. The strip above has a cell for each of the last
ones, oldest left: green and half as high is a success, red and high a failure, low one that
ended otherwise or still runs. Beside it is how many were green, and how long one usually takes.
TOOK is from start to end; where nothing stands there, it has not ended.

Next: {table.open} opens the jobs, {pipelines.log} the log of the job that failed first. Of a
red one, {pipelines.since} holds it against the last green one. {list.failed} shows only what
failed, {pipeline.await} tells when one ends, {write.retry} and {write.cancel} ask before they
do anything.
""",
    "jobs": """\
The jobs of one pipeline by stage, in the order in which stages run; or all jobs of the project
({jobs.all}). The line above counts them by state. In the timeline a bar is a job: dashed while
it waited, a line while it ran, and a thick line where the pipeline would have ended sooner
without it. Attempts before the last one stand below their job, and a pipeline that another one
started is a row that {table.open} opens.

Next: {table.open} opens the log; {jobs.next_failed} and {jobs.previous_failed} go from one
failed job to the next. {write.play} starts a job that waits for somebody, {jobs.artifacts}
fetches its files.
""",
    "log": """\
What one job printed. A failed job opens at the first error of the section that failed, a
running one at its end, which is followed until you go up; then the line below counts what is
new, and {log.end} goes on. Sections fold ({log.fold}): ▸ is folded, ▾ is open, with the time
they took at the right.

A red bar before a line: it tells of an error. The column at the right edge is the whole log: ✖
where errors are, other marks where hits are. ‹ and › mean that a line goes on; {log.wrap} wraps
it.

Next: {log.next_error} goes to the next error, {text.search} searches, {text.filter} shows
matching lines alone, {log.compare} holds it against the last green run of this job, {log.copy}
copies.
""",
    "compare": """\
The log of this job beside that of its last green run, as one text: equal lines once, folded
where there are many. The two numbers are the lines in the green log and in this one.

+ green: only this log has the line. - red: only the green log has it. Both below each other: it
changed, and what differs is bold. ~ grey: the same, but for times, ids and numbers that differ
in every run; {compare.masks} compares those too. ⋯ stands for folded lines, which
{compare.fold} shows.

Next: {compare.next} and {compare.previous} go from difference to difference, {compare.open}
opens the log of this job at the line.
""",
    "many": """\
The logs of all jobs of a pipeline that run or failed, in one text, as they are written. What
stands before a line is the job that wrote it; the line above tells how each of them goes.

Next: {many.open} opens the whole log of the job at that line. {text.search} and {text.filter}
work as in a log, {log.next_error} goes to the next error of any of them, {log.end} follows the
end again.
""",
    "search": """\
The hits of a search through every log of a pipeline, by job. Logs are read one after the other,
at once where they are kept here; the line above says how many of them are still to be read, and
a search that was stopped goes on with {place.refresh}. What reads /between slashes/ is a
regular expression, everything else is plain text; small letters find capitals too.

Next: {table.open} opens the log at the line with the same search in it, {hits.next} and
{hits.previous} go from hit to hit, {hits.search} looks for something else.
""",
    "since": """\
One incident held side by side: the last green pipeline, the first red one and the newest red
one. A row tells how something was in each of them: commit, who started it, variables, and every
job, those that changed first. Of variables only the keys are told. "the same" is as in the
column beside it. The strip above has a cell for each run of that branch, the newest in the last
column; older ones come in at its left while they are loaded.

Where the first red one has another commit than the green one, that commit is the suspect; where
it has the same one, look at variables, at data, and at what runs it.

Next: {table.open} opens the log of a job, or the jobs of a pipeline; {since.log} goes to the
log, and {since.compare} holds it against the one of its last green run.
""",
    "file": """\
One file of the repository at a branch, tag or commit: first the pipeline file of what you came
from, at its commit. The line above says where it was last changed, and whether its text has the
checksum that the platform told: sha256 ✔. Colours are those of the file's language and mean
nothing more.

Next: {file.ref} reads it at another ref, {file.choose} opens another file, {text.search}
searches, {file.copy} copies path, commit or the whole text.
""",
    "schedules": """\
What starts by itself, the next one first: when in your own zone, the cron line in words, and
how the last run ended. "did not fire" in red: it was due and nothing was started. Not every
platform lists schedules; where one does not, those stand here that platui created, as they were
then.

Next: {table.open} opens the jobs of the last run, {schedules.log} the log of what failed in its
last run, {list.details} the next runs and its variables. {write.new_schedule},
{write.edit_schedule}, {write.run_schedule} (run now), {write.own_schedule} and
{write.delete_schedule} ask first.
""",
    "run": """\
A pipeline that is not started yet: with which token, on which ref, with which file and
variables. Nothing is sent before {write.send}, and that asks once more. What is in red or
yellow is to be seen to first; the line below a field says why. Secrets are masked everywhere,
and kept nowhere.

Next: {form.choose} changes a field, {run.add} adds a variable, {run.add_secret} a secret one,
{run.sets} takes those of an earlier start. {form.request} shows what will be sent, and the
command that does the same; {form.copy} copies that.
""",
    "requests": """\
What platui has asked of the platform in this session, newest first. The platform allows a
number of requests a minute to all tools of a user together; the gauge at the top right counts
them.

SOURCE says where an answer came from: live from the platform, 304 when the platform said that
nothing has changed, or from what is kept here, which costs nothing. 429 means that the quota is
spent: platui waits as long as the platform says. Nothing secret is in this list.

Next: {list.filter} filters, {list.sort} sorts (by MS, the slowest), {place.up} goes back.
""",
    "saved-log": """\
A log from a file, or from what another program writes. Nothing is asked of any platform.
Sections, errors and times are found as in the log of a job; a file that grows can be followed
({log.follow}).

A red bar before a line: it tells of an error. The column at the right edge is the whole log: ✖
where errors are, other marks where hits are.

Next: {log.next_error} goes to the next error, {text.search} searches, {text.filter} shows
matching lines alone, {log.copy} copies, {log.save} saves it as text, {place.leave} leaves.
""",
}
