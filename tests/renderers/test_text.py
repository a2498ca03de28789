from __future__ import annotations

import msgspec
import pytest

from tests.renderers.samples import HOSTILE, NOT_STUCK, SAMPLES, SECRET_KEY, UNSCHEDULABLE
from whypending.diagnosis import Citation, Confidence, Diagnosis, Finding, Remedy, Safety
from whypending.evidence import Gap, GapReason
from whypending.renderers import Format, render
from whypending.renderers.escape import is_harmless
from whypending.renderers.layout import Canvas

WIDTHS = (None, 20, 40, 80, 160)


def text(diagnosis: Diagnosis, width: int | None = None, form: Format = Format.TEXT, *, color: bool = False) -> str:
    return render(diagnosis, form, Canvas(width, color))


def with_citations(*citations: Citation) -> Diagnosis:
    finding = msgspec.structs.replace(NOT_STUCK.findings[0], citations=citations)
    return msgspec.structs.replace(NOT_STUCK, findings=(finding,))


def cite(value: str, object_: str = "Pod prod/api-1", field: str = "status.message") -> Citation:
    return Citation(object=object_, field=field, value=value)


def test_the_first_line_is_the_verdict() -> None:
    first = text(SECRET_KEY).splitlines()[0]
    assert first == (
        "Pod shop/checkout-6d4b9c7f5-x2x8q · scheduled, not ready · "
        "container-config-error \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} secret-key-missing (proved)"
    )


def test_the_second_line_is_the_summary() -> None:
    assert text(SECRET_KEY).splitlines()[1] == SECRET_KEY.summary


def test_a_normal_case_fits_a_screen() -> None:
    assert len(text(SECRET_KEY, 80).splitlines()) <= 30


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("diagnosis", SAMPLES.values(), ids=SAMPLES)
@pytest.mark.parametrize("form", [Format.TEXT, Format.WIDE])
def test_commands_stay_on_one_line(diagnosis: Diagnosis, width: int | None, form: Format) -> None:
    rows = [row.strip() for row in text(diagnosis, width, form).splitlines()]
    shown = next((f for f in reversed(diagnosis.findings) if f.remedies and f.refines), None) or next(
        (f for f in diagnosis.findings if f.remedies), None
    )
    commands = [r.command for r in shown.remedies if r.command.isprintable() and r.command] if shown else []
    assert [command for command in commands if command not in rows] == []


@pytest.mark.parametrize("form", [Format.TEXT, Format.WIDE])
@pytest.mark.parametrize("width", WIDTHS)
def test_hostile_text_is_shown_as_escapes(form: Format, width: int | None) -> None:
    assert all(char == "\n" or is_harmless(char) for char in text(HOSTILE, width, form))


def test_colour_adds_style_and_nothing_else() -> None:
    colored = text(HOSTILE, 80, color=True)
    plain = "".join(part.partition("m")[2] if i else part for i, part in enumerate(colored.split("\x1b[")))
    assert plain == text(HOSTILE, 80)


def test_the_targets_own_fields_need_no_name() -> None:
    assert "\n  status.conditions[type=Ready].status = True (3d4h ago)\n" in text(NOT_STUCK)


def test_one_field_of_another_object_stands_on_one_line() -> None:
    assert "\n  Node a spec.unschedulable = true\n" in text(
        with_citations(cite("true", "Node a", "spec.unschedulable"))
    )


def test_fields_of_one_object_stand_together() -> None:
    cited = cite("1", "Node a", "x"), cite("2", "Node b", "y"), cite("3", "Node a", "z")
    assert "\n  Node a\n    x = 1\n    z = 3\n  Node b y = 2\n" in text(with_citations(*cited))


def test_a_text_is_shown_once() -> None:
    said = "couldn't find key api-token in Secret shop/payments"
    event = cite(f"Error: {said}", "Event Failed on Pod prod/api-1", "message")
    shown = text(with_citations(cite(said), event))
    assert "\n  Event Failed: the same text\n" in shown


def test_a_long_value_is_cut_in_the_short_form_alone() -> None:
    long = with_citations(cite("word " * 400))
    assert "(1999 characters, whole with -o wide)" in text(long)
    assert "word " * 399 + "word" in text(long, form=Format.WIDE)


def test_an_unknown_message_is_quoted_whole() -> None:
    finding = msgspec.structs.replace(
        HOSTILE.findings[0], citations=tuple(cite(f"{i} " + "word " * 400) for i in range(10))
    )
    shown = text(msgspec.structs.replace(HOSTILE, findings=(finding,)))
    assert shown.count("word") == 4000


def test_more_citations_are_counted() -> None:
    many = with_citations(*(cite(str(i), field=f"f{i}") for i in range(9)))
    assert "… and 3 more, shown by -o wide" in text(many)
    assert "f8 = 8" in text(many, form=Format.WIDE)


def test_safety_is_shown_where_something_can_happen() -> None:
    shown = text(UNSCHEDULABLE)
    assert "Ask for less cpu in the StatefulSet. [change]" in shown
    assert "Or add a node with at least 4 free CPUs.\n" in shown
    assert f"Delete the batch Pods. [{Safety.DESTRUCTIVE}]" in shown


def test_wide_names_codes_and_pages() -> None:
    shown = text(SECRET_KEY, form=Format.WIDE)
    assert "WP411 container-config-error" in shown.splitlines()[0]
    assert "\nwhypending explain secret-key-missing\n" in shown


def test_gaps_in_full_where_the_verdict_may_hang_on_them() -> None:
    gap = Gap(what="the Nodes", reason=GapReason.FORBIDDEN, would_decide="which are full", grant="list nodes")
    unsure = msgspec.structs.replace(NOT_STUCK, confidence=Confidence.LIKELY, not_evaluated=(gap,))
    assert "  the Nodes: forbidden; would decide which are full\n    to look: list nodes\n" in text(unsure)
    proved = msgspec.structs.replace(unsure, confidence=Confidence.PROVED)
    assert "  forbidden: the Nodes (-o wide tells more)\n" in text(proved)


def test_a_command_in_a_gap_can_be_copied() -> None:
    command = "kubectl get nodes a-node-with-a-long-name.example.com -o yaml"
    gap = Gap(what="Node a", reason=GapReason.NOT_IN_SNAPSHOT, grant=f"add `{command}` to --from")
    unsure = msgspec.structs.replace(NOT_STUCK, confidence=Confidence.LIKELY, not_evaluated=(gap,))
    assert [row for row in text(unsure, 40).splitlines() if command in row and "`" not in row]


def test_a_crashed_classifier_is_always_told() -> None:
    assert "KeyError: 'cpu'" in text(SAMPLES["no-pod"])


def _found(name: str, *remedies: Remedy, refines: str = "") -> Finding:
    message = f"{name} is seen on Pod prod/api-1."
    return Finding(
        code="WP1",
        name=name,
        confidence=Confidence.LIKELY,
        message=message,
        remedies=remedies,
        refines=refines,
    )


def test_what_mends_the_broader_cause_is_told_after_the_exact_ones() -> None:
    mend = Remedy(text="Restart it.", safety=Safety.CHANGE)
    broad = _found("down", Remedy(text="Look again.", command="kubectl get x"), mend)
    exact = _found("expired", Remedy(text="Watch.", command="kubectl get lease -w"), refines="down")
    other = _found("full", mend, Remedy(text="Empty it.", command="kubectl delete x", safety=Safety.CHANGE))
    shown = text(msgspec.structs.replace(UNSCHEDULABLE, findings=(broad, exact, other)))
    assert "  1. Watch. [read]\n       kubectl get lease -w\n  2. Restart it. [change]\n\nAlso" in shown
    assert "full (another cause, likely): full is seen on Pod prod/api-1.\n    do: Restart it. [change]\n" in shown


def test_of_many_gaps_those_that_decide_most_keep_their_command() -> None:
    kinds = ("StatefulSet objects", "CSINode objects", "Node objects", "Events of api-1", "ConfigMap objects")
    gaps = tuple(Gap(what=kind, reason=GapReason.NOT_IN_SNAPSHOT, grant=f"add {kind}") for kind in kinds)
    shown = text(msgspec.structs.replace(UNSCHEDULABLE, not_evaluated=gaps))
    assert [row.strip() for row in shown.splitlines() if "to look" in row] == [
        "to look: add Node objects",
        "to look: add Events of api-1",
    ]


@pytest.mark.parametrize("sample", SAMPLES)
def test_the_first_line_always_ends_with_how_sure_it_is(sample: str) -> None:
    assert text(SAMPLES[sample]).partition("\n")[0].endswith(("(proved)", "(likely)", "(possible)"))
