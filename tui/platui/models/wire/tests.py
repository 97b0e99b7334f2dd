"""The test report of a pipeline: suites, one a job, and their cases."""

from __future__ import annotations

from platui.models.wire.record import FlatText, Number, Record, Several, Text, Whole


class CaseResult(Record):
    status: Text = ""  # success, failed, error or skipped
    name: Text = ""
    classname: Text = ""
    file: Text = ""
    execution_time: Number = None
    system_output: FlatText = ""
    stack_trace: Text = ""

    @property
    def has_failed(self) -> bool:
        return self.status in {"failed", "error"}


class SuiteResult(Record):
    name: Text = ""  # The name of its job
    suite_error: Text = ""  # Why the report of the job could not be read
    test_cases: Several[CaseResult] = ()


class PipelineTests(Record):
    total_count: Whole = None
    test_suites: Several[SuiteResult] = ()
