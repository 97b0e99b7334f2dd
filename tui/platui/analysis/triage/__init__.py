"""Find broken lanes, their start and cause, from pipelines and logs of the platform.

`incidents.states_of` builds the lanes of a project, `failure_points` finds the job that failed the
newest pipeline, `signatures.signing` the cause from its log, `lateness` late runs, and `board`
sorts the items. All functions are pure.
"""
