"""What each view of the access report shows, for who sees it for the first time."""

from __future__ import annotations

from typing import Final

REPORT_VIEWS: Final = {
    "access": """\
The people of the last access report, those with the highest level first. A level is what
somebody may do in a group or project: GUEST, REPORTER, DEVELOPER, MAINTAINER, OWNER. The
numbers count the memberships of each level; · is none. The bars above count people by their
highest level.

A report is fetched, never live: the header says when. It is a roll-up of daily snapshots over a
period, for utilization and not for security auditing: who lost a level yesterday may still have
it.

Next: {place.refresh} fetches a new report, {list.filter} searches by words and terms such as
level:owner state:blocked, {access.facets} narrows, {table.open} shows all that a person holds,
{list.pane} turns to groups and projects and to what changed, {access.export} exports what is
listed.
""",
    "groups": """\
The groups and projects of the access report as a tree: ▸ is closed, ▾ is open. DIRECT counts
the members that are named in the group or project itself; the levels count all memberships in
it and below. People who have a level from a group above are not counted here, but they have it.

Next: {access.unfold} and {access.fold} open and close a group, {table.open} lists its members
with what each effectively may do, {access.everybody} everybody in it and below, {list.filter}
searches by words and terms such as user:jane kind:project; what is found is a list, and no
tree.
""",
    "changes": """\
What is different between the last access report and an earlier one ({access.before} chooses
which): who is new, who is gone, whose level was raised or lowered, who was blocked. New owners
stand first. "none → OWNER" is a membership that was not there before.

What was given and taken back between the two reports is in neither of them, and so not here.

Next: {table.open} shows all that the person holds, {list.sort} arranges changes by what
happened, by person or by place, {list.filter} searches, {access.export} exports what is listed.
""",
    "person": """\
All that one person holds, the highest level first: where, and at which level. EFFECTIVE is said
where a group above gives more than the membership itself does: that is what counts.

Next: {table.open} shows the members of that group or project, {list.filter} filters,
{list.copy} copies what names the row to others, {access.export} writes the list to a file.
""",
    "members": """\
Who may do what in one group or project. HELD says where the level comes from: here, or a group
above, whose members have it in all that lies below. EFFECTIVE is the highest of them: that is
what counts. The line above counts the owners, and who they are.

Next: {table.open} shows all that a person holds, {access.everybody} everybody in what lies
below too, {list.filter} filters, {access.export} writes the list to a file.
""",
}
