from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import msgspec
import pytest

from tests.renderers.samples import SAMPLES, SECRET_KEY, UNKNOWN
from whypending.diagnosis import Confidence, Finding, Triage
from whypending.renderers.words import CLASS_WORDS, age, ago, chain_of, class_words, moment

NOW = datetime(2026, 1, 31, tzinfo=UTC)
MINUTE, HOUR, DAY = 60, 3600, 86400


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (-5, "0s"),
        (0, "0s"),
        (119, "119s"),
        (120, "2m"),
        (2 * MINUTE + 5, "2m5s"),
        (10 * MINUTE + 5, "10m"),
        (179 * MINUTE, "179m"),
        (3 * HOUR + 5 * MINUTE, "3h5m"),
        (8 * HOUR + 5 * MINUTE, "8h"),
        (47 * HOUR, "47h"),
        (2 * DAY + 3 * HOUR, "2d3h"),
        (8 * DAY + 3 * HOUR, "8d"),
        (729 * DAY, "729d"),
        (800 * DAY, "2y70d"),
    ],
)
def test_ages_are_as_kubectl_writes_them(seconds: int, said: str) -> None:
    assert age(NOW - timedelta(seconds=seconds), NOW) == said


def test_a_moment_is_in_utc() -> None:
    when = datetime(2026, 1, 31, 1, 2, 3, 999, tzinfo=timezone(timedelta(hours=2)))
    assert moment(when) == "2026-01-30T23:02:03Z"


def test_every_class_has_words() -> None:
    assert set(CLASS_WORDS) == set(Triage)


def test_no_pod_is_said_only_where_there_is_none() -> None:
    none = SAMPLES["no-pod"]
    assert class_words(none) == "no Pod was made"
    assert class_words(msgspec.structs.replace(none, some_made=True)) == "not all Pods were made"


def test_a_job_that_has_failed_has_given_up_with_or_without_a_pod_left() -> None:
    gave_up = (Finding(code="WP519", name="job-failed", confidence=Confidence.PROVED, message="m."),)
    for class_ in (Triage.NO_POD, Triage.SCHEDULED_NOT_READY):
        assert class_words(msgspec.structs.replace(UNKNOWN, triage=class_, findings=gave_up)) == "given up"


def test_the_chain_follows_refines() -> None:
    assert [finding.name for finding in chain_of(SECRET_KEY)] == ["container-config-error", "secret-key-missing"]


def test_no_findings_no_chain() -> None:
    assert chain_of(UNKNOWN) == ()


def test_the_samples_show_most_classes() -> None:
    shown = {diagnosis.triage for diagnosis in SAMPLES.values()}
    assert set(Triage) - shown == {Triage.NO_SCHEDULER, Triage.HELD}


def test_what_lies_ahead_of_the_clock_is_not_called_past() -> None:
    now = datetime(2026, 11, 30, 22, tzinfo=UTC)
    assert ago(now + timedelta(seconds=82), now) == "in 82s"
    assert ago(now + timedelta(seconds=1), now) == "0s ago"
    assert ago(now - timedelta(seconds=82), now) == "82s ago"
