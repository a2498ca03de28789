"""Each rule once: its name, severity and line; and texts near it that it does not object to."""

from __future__ import annotations

import pytest

from whypending.schedulerconfig import Deployed, Facts, Finding, Release, Severity, check, read_text

HEAD = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
AFFINITY = "  - name: NodeAffinity\n"
OWN = "leaderElection: {resourceName: own}\n"
ANY = Facts()
STOCK = Deployed(
    "Deployment kube-system/own", 2, "registry.k8s.io/kube-scheduler:v1.37.2", ("--config=/etc/config.yaml",)
)


def findings(text: str, facts: Facts = ANY) -> list[Finding]:
    found = read_text(text, "config.yaml").configurations
    return [finding for report in check(found, [facts] * len(found)) for finding in report.findings]


def told(text: str, facts: Facts = ANY) -> list[tuple[str, str, int]]:
    return [(f.rule, f.severity.value, f.line) for f in findings(text, facts)]


def profile(rest: str) -> str:
    return f"{HEAD}profiles:\n- schedulerName: default-scheduler\n{rest}"


def plugins(point: str, kind: str, *names: str) -> str:
    shown = ", ".join(f"{{name: {name}}}" for name in names)
    return profile(f"  plugins:\n    {point}:\n      {kind}: [{shown}]\n")


CASES = {
    "api-version-removed": (HEAD.replace("v1\n", "v1beta3\n", 1), "error", 1),
    "api-version-unknown": (HEAD.replace("v1\n", "v2\n", 1), "error", 1),
    "kind-missing": (HEAD.replace("kind: KubeSchedulerConfiguration\n", ""), "error", 1),
    "unknown-field": (f"{HEAD}parallelisms: 3\n", "error", 3),
    "repeated-field": (f"{HEAD}parallelism: 3\nparallelism: 3\n", "error", 4),
    "wrong-type": (f'{HEAD}parallelism: "3"\n', "error", 3),
    "value-out-of-range": (f"{HEAD}percentageOfNodesToScore: 101\n", "error", 3),
    "leader-election-invalid": (f"{HEAD}leaderElection:\n  leaseDuration: 5s\n", "error", 4),
    "profile-name-repeated": (f"{HEAD}profiles:\n- schedulerName: a\n- schedulerName: a\n", "error", 5),
    "profile-name-missing": (f"{HEAD}profiles:\n- schedulerName: default-scheduler\n- {{}}\n", "error", 5),
    "plugin-not-in-tree": (plugins("permit", "enabled", "Coscheduling"), "error", 7),
    "plugin-removed": (plugins("score", "enabled", "SelectorSpread"), "error", 7),
    "plugin-without-name": (plugins("score", "enabled", "''"), "error", 7),
    "plugin-at-wrong-point": (plugins("filter", "enabled", "ImageLocality"), "error", 7),
    "plugin-enabled-twice": (plugins("score", "enabled", "ImageLocality", "ImageLocality"), "error", 7),
    "disabled-but-never-enabled": (plugins("score", "disabled", "NodeResourcesFits"), "warning", 7),
    "queue-sort-missing": (plugins("queueSort", "disabled", "'*'"), "error", 6),
    "bind-missing": (plugins("multiPoint", "disabled", "DefaultBinder"), "error", 6),
    "placement-generate-several": (
        plugins("placementGenerate", "enabled", "TopologyPlacementGenerator", "TopologyPlacementGenerator"), "", 0,
    ),
    "weight-ignored": (profile("  plugins: {filter: {enabled: [{name: NodeName, weight: 3}]}}\n"), "warning", 5),
    "weight-zero": (profile("  plugins: {score: {enabled: [{name: ImageLocality, weight: 0}]}}\n"), "warning", 5),
    "weight-negative": (profile("  plugins: {score: {enabled: [{name: ImageLocality, weight: -1}]}}\n"), "warning", 5),
    "weight-overflow": (profile("  plugins: {score: {enabled: [{name: ImageLocality, weight: -1}]}}\n"), "error", 5),
    "plugin-config-repeated": (profile(f"  pluginConfig:\n{AFFINITY}{AFFINITY}"), "error", 7),
    "plugin-config-refused": (profile("  pluginConfig:\n  - name: NodeResourcesFitArgs\n    args: {}\n"), "error", 6),
    "plugin-config-unused": (profile("  pluginConfig:\n  - name: Coscheduling\n"), "warning", 6),
    "plugin-config-kind": (
        profile("  pluginConfig:\n  - name: NodeAffinity\n    args:\n      kind: VolumeBindingArgs\n"), "error", 8,
    ),
    "plugin-args-invalid": (
        profile("  pluginConfig:\n  - name: VolumeBinding\n    args:\n      bindTimeoutSeconds: -1\n"), "error", 8,
    ),
    "plugin-args-missing": (
        profile(
            "  plugins:\n    multiPoint: {disabled: [{name: DefaultPreemption}]}\n"
            "    podGroupPostFilter: {enabled: [{name: DefaultPreemption}]}\n"
        ), "error", 7,
    ),
    "extender-invalid": (f"{HEAD}extenders:\n- urlPrefix: http://a\n  prioritizeVerb: p\n", "error", 4),
    "extender-without-url": (f"{HEAD}extenders:\n- filterVerb: f\n", "warning", 4),
    "extender-does-nothing": (f"{HEAD}extenders:\n- urlPrefix: http://a\n", "warning", 4),
    "lease-of-the-default": (f"{HEAD}profiles:\n- schedulerName: batch\n", "warning", 1),
    "document-never-read": (f"{HEAD}---\n{HEAD}{OWN}", "warning", 4),
    "lease-shared": (f"{HEAD}---\n{HEAD}", "warning", 4),
}  # fmt: skip


@pytest.mark.parametrize(("rule", "case"), [(r, c) for r, c in CASES.items() if c[1]])
def test_a_rule(rule: str, case: tuple[str, str, int]) -> None:
    text, severity, line = case
    assert (rule, severity, line) in told(text)


@pytest.mark.parametrize("rule", CASES)
def test_every_finding_is_a_sentence_with_a_fix(rule: str) -> None:
    for finding in findings(CASES[rule][0]):
        assert finding.message.endswith((".", "?"))
        assert len(finding.fix) > 10
        assert finding.file == "config.yaml"


@pytest.mark.parametrize(
    "text",
    [
        HEAD,
        f"{HEAD}parallelism: 16.0\nenableProfiling: yes\nprofiles:\n",
        f"{HEAD}{OWN}profiles:\n- schedulerName: batch\n",
        f"{HEAD}leaderElection: {{leaderElect: false, leaseDuration: 1s}}\nprofiles:\n- schedulerName: batch\n",
        plugins("score", "enabled", "NodeResourcesFit"),
        plugins("score", "disabled", "'*'"),
        profile("  pluginConfig:\n  - name: NodeAffinity\n    args: {kind: NodeAffinityArgs}\n"),
    ],
)
def test_what_is_right(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    ("version", "minor", "rule"),
    [
        ("v1beta2", 28, "api-version-removed"),
        ("v1beta2", 27, "api-version-deprecated"),
        ("v1beta3", 29, "api-version-removed"),
        ("v1beta3", 28, "api-version-deprecated"),
        ("v1beta1", 23, "api-version-removed"),
        ("v1", 24, "api-version-too-new"),
        ("v1alpha1", 37, "api-version-removed"),
    ],
)
def test_the_release_in_which_a_version_went(version: str, minor: int, rule: str) -> None:
    found = findings(HEAD.replace("v1\n", f"{version}\n", 1), Facts(Release(minor)))
    assert [f.rule for f in found] == [rule]


def test_the_release_is_in_the_sentence() -> None:
    (found,) = findings(HEAD.replace("v1\n", "v1beta3\n", 1))
    assert "was removed in 1.29" in found.message
    assert "kubescheduler.config.k8s.io/v1" in found.fix


def test_profiles_share_their_queue_sort() -> None:
    other = (
        plugins("queueSort", "enabled", "PrioritySort").partition("profiles:\n")[2].replace("default-scheduler", "b")
    )
    text = f"{profile('')}{other}"
    assert told(text) == [("queue-sort-differs", "error", 7)]


def test_a_plugin_that_is_built_in_besides() -> None:
    text = plugins("multiPoint", "enabled", "Coscheduling")
    assert told(text, Facts(plugins=frozenset({"Coscheduling"}))) == []


def test_a_scheduler_of_its_own_build_may_have_the_plugin() -> None:
    own = Deployed("Deployment a/b", 1, "example.com/scheduler-plugins:v1")
    (found,) = findings(plugins("permit", "enabled", "Coscheduling"), Facts(deployed=(own,)))
    assert (found.rule, found.severity) == ("plugin-not-in-tree", Severity.WARNING)


def test_a_slip_of_the_pen_is_named() -> None:
    (found,) = findings(plugins("score", "enabled", "NodeResourceFit"))
    assert 'Write "NodeResourcesFit"' in found.fix


def test_replicas_without_leader_election() -> None:
    text = f"{HEAD}leaderElection:\n  leaderElect: false\n"
    assert told(text, Facts(deployed=(STOCK,))) == [("leader-election-off", "warning", 3)]
    alone = Deployed(STOCK.ref, 1, STOCK.image, STOCK.args)
    assert told(text, Facts(deployed=(alone,))) == []


def test_flags_beside_the_file() -> None:
    flags = (*STOCK.args, "--kubeconfig=/a", "--profiling", "false", "--leader-elect=false", "--policy-config-file=/p")
    deployed = Deployed(STOCK.ref, 1, STOCK.image, flags)
    found = findings(f"{HEAD}leaderElection: {{leaderElect: true}}\n", Facts(deployed=(deployed,)))
    assert sorted(f.rule for f in found) == ["flag-ignored", "flag-ignored", "flag-outdoes-file", "flag-unknown"]


def test_one_lease_of_two_schedulers() -> None:
    text = f"{HEAD}{OWN}profiles: [{{schedulerName: a}}]\n---\n{HEAD}{OWN}profiles: [{{schedulerName: b}}]\n"
    (found,) = [f for f in findings(text) if f.rule == "lease-shared"]
    assert "kube-system/own" in found.message
    assert '"a"' in found.message
