"""`whypending rights [-n NS]`: the RBAC objects to apply so that whypending can look."""

from __future__ import annotations

import re

import click

from whypending import rbac
from whypending.cli.options import NoiseOptions, noise_options
from whypending.cli.output import emit
from whypending.cli.status import ExitStatus
from whypending.errors import UsageError

_NAMESPACE = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")


@click.command
@click.option("-n", "--namespace", default="", metavar="NS", help="The Role for this namespace alone.")
@noise_options
def command(namespace: str, **_: NoiseOptions) -> ExitStatus:
    """The ClusterRole that whypending needs, or with -n the Role for one namespace, for `kubectl apply -f -`.

    Both only get and list, and never Secrets.
    """
    if namespace and not _NAMESPACE.fullmatch(namespace):
        raise UsageError(f'"{namespace}" can not be the name of a namespace.', "whypending rights -n NAMESPACE")
    emit(rbac.role(namespace) if namespace else rbac.cluster_role())
    return ExitStatus.NOTHING_STUCK
