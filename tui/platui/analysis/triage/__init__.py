"""What is broken, since when and why: reasoning over what the platform lists and logs tell.

From a list to a row: `incidents.states_of` reads the lanes of a project, `failure_points` which
job broke the newest red pipeline, `signatures.signing` the cause by that job's log, `lateness`
what is behind its time, and `board` puts the rows in their order. All of it is pure.
"""
