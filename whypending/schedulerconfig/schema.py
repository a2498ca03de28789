"""The fields of KubeSchedulerConfiguration v1 and of the plugins' arguments, with their types.

Source: k8s.io/kube-scheduler/config/v1 (types.go, types_pluginargs.go), k8s.io/component-base/config/v1alpha1.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import msgspec

from whypending.schedulerconfig.plugins import points_in


class Scalar(StrEnum):
    """What a field takes; the value is how a sentence calls it."""

    BOOL = "true or false"
    INT32 = "a whole number"
    INT64 = "a whole number (64 bits)"
    FLOAT = "a number"
    STRING = "a string"
    DURATION = "a duration such as 15s or 1m30s"
    BYTES = "base64"
    ANY = "anything"


class ListOf(msgspec.Struct, frozen=True):
    """A list of one type."""

    item: Type


class MapOf(msgspec.Struct, frozen=True):
    """A mapping with free keys."""

    value: Type


class Object(msgspec.Struct, frozen=True):
    """A mapping with these fields."""

    fields: Mapping[str, Type]


Type = Scalar | ListOf | MapOf | Object
_S, _B, _I, _L, _D = Scalar.STRING, Scalar.BOOL, Scalar.INT32, Scalar.INT64, Scalar.DURATION
_STRINGS = ListOf(_S)
_META: Mapping[str, Type] = {"apiVersion": _S, "kind": _S}

_LEADER_ELECTION = Object({
    "leaderElect": _B, "leaseDuration": _D, "renewDeadline": _D, "retryPeriod": _D, "resourceLock": _S,
    "resourceName": _S, "resourceNamespace": _S,
})  # fmt: skip
_CLIENT = Object({"kubeconfig": _S, "acceptContentTypes": _S, "contentType": _S, "qps": Scalar.FLOAT, "burst": _I})
_TLS = Object({
    "insecure": _B, "serverName": _S, "certFile": _S, "keyFile": _S, "caFile": _S, "certData": Scalar.BYTES,
    "keyData": Scalar.BYTES, "caData": Scalar.BYTES,
})  # fmt: skip
_EXTENDER = Object({
    "urlPrefix": _S, "filterVerb": _S, "preemptVerb": _S, "prioritizeVerb": _S, "weight": _L, "bindVerb": _S,
    "enableHTTPS": _B, "tlsConfig": _TLS, "httpTimeout": _D, "nodeCacheCapable": _B, "ignorable": _B,
    "managedResources": ListOf(Object({"name": _S, "ignoredByScheduler": _B})),
})  # fmt: skip
_PLUGINS = ListOf(Object({"name": _S, "weight": _I}))
_SET = Object({"enabled": _PLUGINS, "disabled": _PLUGINS})

_SELECTOR = Object({
    "matchLabels": MapOf(_S),
    "matchExpressions": ListOf(Object({"key": _S, "operator": _S, "values": _STRINGS})),
})  # fmt: skip
_REQUIREMENTS = ListOf(Object({"key": _S, "operator": _S, "values": _STRINGS}))
_TERM = Object({"matchExpressions": _REQUIREMENTS, "matchFields": _REQUIREMENTS})
_NODE_AFFINITY = Object({
    "requiredDuringSchedulingIgnoredDuringExecution": Object({"nodeSelectorTerms": ListOf(_TERM)}),
    "preferredDuringSchedulingIgnoredDuringExecution": ListOf(Object({"weight": _I, "preference": _TERM})),
})  # fmt: skip
_SPREAD = Object({
    "maxSkew": _I, "topologyKey": _S, "whenUnsatisfiable": _S, "labelSelector": _SELECTOR, "minDomains": _I,
    "nodeAffinityPolicy": _S, "nodeTaintsPolicy": _S, "matchLabelKeys": _STRINGS,
})  # fmt: skip
_SHAPE = ListOf(Object({"utilization": _I, "score": _I}))
_RESOURCES = ListOf(Object({"name": _S, "weight": _L}))

_ARGS: Mapping[str, Mapping[str, Type]] = {
    "DefaultPreemption": {"minCandidateNodesPercentage": _I, "minCandidateNodesAbsolute": _I},
    "DynamicResources": {"filterTimeout": _D, "bindingTimeout": _D},
    "InterPodAffinity": {"hardPodAffinityWeight": _I, "ignorePreferredTermsOfExistingPods": _B},
    "NodeAffinity": {"addedAffinity": _NODE_AFFINITY},
    "NodeResourcesBalancedAllocation": {"resources": _RESOURCES},
    "NodeResourcesFit": {
        "ignoredResources": _STRINGS,
        "ignoredResourceGroups": _STRINGS,
        "scoringStrategy": Object({
            "type": _S, "resources": _RESOURCES, "requestedToCapacityRatio": Object({"shape": _SHAPE}),
        }),
    },
    "PodTopologySpread": {"defaultConstraints": ListOf(_SPREAD), "defaultingType": _S},
    "VolumeBinding": {"bindTimeoutSeconds": _L, "shape": _SHAPE},
}  # fmt: skip
_DYNAMIC_SINCE = 34
_BINDING_TIMEOUT_SINCE = 35


def args_type(plugin: str, minor: int) -> Object | None:
    """The fields of a plugin's arguments; None for a plugin whose arguments kube-scheduler does not look into."""
    fields = _ARGS.get(plugin)
    if fields is None or (plugin == "DynamicResources" and minor < _DYNAMIC_SINCE):
        return None
    if plugin == "DynamicResources" and minor < _BINDING_TIMEOUT_SINCE:
        fields = {"filterTimeout": fields["filterTimeout"]}
    return Object({**_META, **fields})


def configuration(minor: int) -> Object:
    """The fields of the whole document in a release."""
    profile = Object({
        "schedulerName": _S,
        "percentageOfNodesToScore": _I,
        "plugins": Object(dict.fromkeys(("multiPoint", *points_in(minor)), _SET)),
        "pluginConfig": ListOf(Object({"name": _S, "args": Scalar.ANY})),
    })  # fmt: skip
    return Object({
        **_META, "parallelism": _I, "leaderElection": _LEADER_ELECTION, "clientConnection": _CLIENT,
        "enableProfiling": _B, "enableContentionProfiling": _B, "percentageOfNodesToScore": _I,
        "podInitialBackoffSeconds": _L, "podMaxBackoffSeconds": _L, "profiles": ListOf(profile),
        "extenders": ListOf(_EXTENDER), "delayCacheUntilActive": _B,
    })  # fmt: skip
