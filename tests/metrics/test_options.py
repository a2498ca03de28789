"""The command line: what asks for metrics, what does not fit together, and the report and snapshot that come of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, dump, run
from tests.metrics.kit import HOME, PENDING, captured, series, vector
from tests.renderers.documents import validate
from tests.sources.livekit import reply, serve

__all__ = ["dump", "run"]
TEXT = str(HOME / "kube-scheduler-1.37.prom")
SECTION = """
Scheduler metrics
  {origin} · v1.37.2 · process since 2026-12-01T12:10:03Z
    pending by queue: unschedulable 2; gated 1; active, backoff, incomplete, pending 0
    attempts by profile and result: default-scheduler unschedulable 2; default-scheduler scheduled 1
    unschedulable by plugin: NodeAffinity 1; NodeResourcesFit 1; SchedulingGates 1
    preemption attempts: 2
    preemption victims: 0
    API requests refused as too many: 429 0; 41 in all
    waits for the client's own rate limit: 19 times, 2.5 µs on average
    leader status: this process leads
    attempt latency: scheduled once, 17.9 ms on average, 99 % below 31.8 ms; unschedulable 2 times, 286 µs on average, \
99 % below 990 µs
    nothing counted yet, or not exposed by this release: permit waits
"""


def test_the_section_of_the_report(run: Run, dump: str) -> None:
    ended = run("pod", "web-2", "--from", dump, "--metrics-file", TEXT)
    assert ended.status == 1
    assert SECTION.format(origin=TEXT) in ended.out
    assert ended.out.index("Scheduler metrics") < ended.out.index("Not looked at")


def test_without_being_asked_there_is_none(run: Run, dump: str) -> None:
    assert "metrics" not in run("pod", "web-2", "--from", dump).out
    assert "metrics" not in json.loads(run("pod", "web-2", "--from", dump, "-o", "json").out)


def test_wide_names_the_metrics(run: Run, dump: str) -> None:
    out = run("pod", "web-2", "--from", dump, "--metrics-file", TEXT, "-o", "wide").out
    assert "preemption attempts: 2 (scheduler_preemption_attempts_total)" in out


def test_the_json(run: Run, dump: str) -> None:
    written = json.loads(run("pod", "web-2", "--from", dump, "--metrics-file", TEXT, "-o", "json").out)
    validate(written)
    (scheduler,) = written["metrics"]
    readings = {reading["question"]: reading for reading in scheduler["readings"]}
    assert readings["permit waits"] == {
        "question": "permit waits", "metric": None, "unit": "seconds", "figures": [],
        "missing": "nothing counted yet, or not exposed by this release",
    }  # fmt: skip
    assert readings["preemption attempts"]["figures"] == [{"labels": {}, "statistic": "value", "value": 2.0}]


def test_a_standby_takes_one_line_but_in_wide(run: Run, dump: str, tmp_path: Path) -> None:
    path = tmp_path / "standby.prom"
    text = captured("1.37")
    path.write_text(text.replace('status{name="kube-scheduler"} 1', 'status{name="kube-scheduler"} 0'))
    short = run("pod", "web-2", "--from", dump, "--metrics-file", str(path)).out
    assert "    this process does not lead, so it schedules nothing (-o wide tells more)\n" in short
    assert "pending by queue" not in short
    wide = run("pod", "web-2", "--from", dump, "--metrics-file", str(path), "-o", "wide").out
    assert "    leader status: this process does not lead (leader_election_master_status)\n" in wide


def test_a_metric_that_always_exists_and_is_missing(run: Run, dump: str, tmp_path: Path) -> None:
    path = tmp_path / "old.prom"
    path.write_text("\n".join(x for x in captured("1.30").split("\n") if "preemption" not in x))
    out = run("pod", "web-2", "--from", dump, "--metrics-file", str(path)).out
    assert "    not exposed by this release: preemption attempts, preemption victims\n" in out


def test_metrics_that_could_not_be_read_are_told_in_their_section_alone(run: Run, dump: str) -> None:
    foreign = str(HOME / "kube-apiserver-1.37.prom")
    ended = run("pod", "web-2", "--from", dump, "--metrics-file", foreign)
    assert ended.status == 1
    assert f"\nScheduler metrics\n  not read (malformed): {foreign} can't be used: these are" in ended.out
    assert ended.out.count("metrics of an API server") == 1
    written = json.loads(run("pod", "web-2", "--from", dump, "--metrics-file", foreign, "-o", "json").out)
    validate(written)
    assert [gap["reason"] for gap in written["notEvaluated"] if gap["what"] == "the scheduler's metrics"] == [
        "malformed"
    ]


@pytest.mark.parametrize("text", [TEXT, str(HOME / "kube-apiserver-1.37.prom")])
def test_a_snapshot_holds_them(run: Run, dump: str, tmp_path: Path, text: str) -> None:
    file = str(tmp_path / "web.tar.gz")
    assert run("snapshot", "web-2", "--from", dump, "-o", file, "--metrics-file", text, "--quiet").status == 0
    one = json.loads(run("pod", "web-2", "--from", dump, "--metrics-file", text, "-o", "json").out)
    two = json.loads(run("pod", "web-2", "--from", file, "-o", "json").out)
    assert one.get("metrics") == two.get("metrics")
    assert one["notEvaluated"][-1:] == two["notEvaluated"][-1:]


def test_hostile_words_are_shown_escaped(run: Run, dump: str, tmp_path: Path) -> None:
    path = tmp_path / "x.prom"
    path.write_text('scheduler_pending_pods{queue="\x1b[31mred\u202e"} 1\n')
    for form in ("text", "json", "yaml"):
        out = run("pod", "web-2", "--from", dump, "--metrics-file", str(path), "-o", form).out
        assert "\x1b" not in out
        assert "\u202e" not in out


def test_a_file_that_is_not_there(run: Run, dump: str) -> None:
    ended = run("pod", "web-2", "--from", dump, "--metrics-file", "none.prom")
    assert (ended.status, ended.out) == (3, "")
    assert ended.err.splitlines()[-2] == "error: none.prom can't be read: No such file or directory."


def test_a_prometheus_as_of_the_files_clock(run: Run, dump: str) -> None:
    with serve(None, lambda handler: reply(handler, vector(series("3", **PENDING, queue="active")))) as server:
        ended = run("pod", "web-2", "--from", dump, "--prometheus", server.url)
    assert f"  Prometheus {server.url} · job kube-scheduler · instance 10.0.0.1:10259 · as of 2026-12-01" in ended.out
    assert all("&time=" in path for path in server.paths)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--metrics"], "Where are the scheduler's metrics to come from?"),
        (["--metrics-insecure"], "Where are the scheduler's metrics to come from?"),
        (["--metrics-file", "a", "--prometheus", "https://p"], "Metrics come from one place at a time."),
        (["--metrics-file", "a", "--metrics-url", "https://p"], "Metrics come from one place at a time."),
        (["--metrics-serviceaccount", "reader"], '"reader" names no ServiceAccount.'),
        (["--metrics-serviceaccount", "a/../b"], '"a/../b" names no ServiceAccount.'),
        (["--metrics-serviceaccount", "ops/reader"], "--metrics-serviceaccount needs a cluster, and --from asks none."),
        (["--metrics-serviceaccount", "ops/x", "--metrics-file", "a"], "is for a scheduler's own metrics"),
        (["--prometheus-user", "jane", "--metrics-file", "a"], "A login for Prometheus needs its address."),
        (["--prometheus", "prometheus:9090"], "The address of the metrics is no http(s) URL."),
        (["--prometheus", "https://[::1"], "The address of the metrics is no http(s) URL."),
        (["--prometheus", "https://p:99999999"], "The address of the metrics is no http(s) URL."),
        (["--prometheus", "http://jane:pw@p"], "Over plain http the credential could be read by anybody on the way."),
        (["--prometheus", "http://p", "--prometheus-user", "jane"], "Over plain http the credential"),
        (["--prometheus", "http://p", "--prometheus-header", "Cookie: a=b"], "Over plain http the credential"),
        (["--prometheus", "https://p", "--prometheus-header", "nonsense"], "--prometheus-header holds no header."),
        (["--prometheus", "https://p", "--prometheus-header", "a: b\nc: d"], "--prometheus-header holds no header."),
        (["--prometheus", "https://p", "--prometheus-token-file", "none"], "--prometheus-token-file can't be read"),
        (["--metrics-url", "https://p", "--metrics-ca", "none"], "The file of --metrics-ca can't be read"),
    ],
)
def test_what_does_not_fit_together(run: Run, dump: str, options: list[str], says: str) -> None:
    ended = run("pod", "web-2", "--from", dump, *options)
    assert (ended.status, ended.out) == (2, "")
    error, following = ended.err.splitlines()
    assert says in error
    assert following.startswith("next: ")


def test_files_of_credentials(run: Run, dump: str, tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("two\nlines")
    options = ("--prometheus", "https://p", "--prometheus-token-file", str(token))
    ended = run("pod", "web-2", "--from", dump, *options)
    assert (ended.status, "two" in ended.err) == (2, False)
    token.write_text("t0ken\n")
    both = run("pod", "web-2", "--from", dump, *options, "--prometheus-user", "jane")
    assert "a token or a user's password, not both" in both.err


def test_a_harmless_header_may_go_over_plain_http_and_a_token_where_the_user_says_so(
    run: Run, dump: str, tmp_path: Path
) -> None:
    token = tmp_path / "token"
    token.write_text("t0ken\n")
    with serve(None, lambda handler: reply(handler, vector(series("3", **PENDING)))) as server:
        harmless = ("--prometheus-header", "X-Scope-OrgID: team-a")
        assert run("pod", "web-2", "--from", dump, "--prometheus", server.url, *harmless).status == 1
        risky = ("--prometheus-token-file", str(token), "--metrics-insecure")
        assert run("pod", "web-2", "--from", dump, "--prometheus", server.url, *risky).status == 1
    assert server.header("X-Scope-OrgID") == {"team-a"}
    assert server.header("Authorization") == {"Bearer t0ken"}
