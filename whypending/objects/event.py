"""Event: both shapes, core/v1 (kubelet, controllers) and events.k8s.io/v1 (schedulers)."""

from __future__ import annotations

from datetime import UTC, datetime

from whypending.objects.base import Base, KubeObject, Time

_NEVER = datetime.min.replace(tzinfo=UTC)


class ObjectReference(Base, frozen=True):
    """`involvedObject` or `regarding`."""

    api_version: str = ""
    kind: str = ""
    namespace: str = ""
    name: str = ""
    uid: str = ""
    field_path: str = ""


class EventSource(Base, frozen=True):
    """`source` (core/v1) or `deprecatedSource`."""

    component: str = ""
    host: str = ""


class EventSeries(Base, frozen=True):
    """`series`."""

    count: int = 0
    last_observed_time: Time | None = None


class Event(KubeObject, frozen=True):
    """An Event of either shape; `note`, `regarding` and the `deprecated…` fields are the names of events.k8s.io/v1."""

    kind: str = "Event"
    type: str = ""
    reason: str = ""
    action: str = ""
    message: str = ""
    note: str = ""
    involved_object: ObjectReference | None = None
    regarding: ObjectReference | None = None
    source: EventSource | None = None
    deprecated_source: EventSource | None = None
    first_timestamp: Time | None = None
    last_timestamp: Time | None = None
    deprecated_first_timestamp: Time | None = None
    deprecated_last_timestamp: Time | None = None
    event_time: Time | None = None
    count: int | None = None
    deprecated_count: int | None = None
    series: EventSeries | None = None
    reporting_component: str = ""
    reporting_controller: str = ""

    @property
    def about(self) -> ObjectReference:
        """The object that the Event speaks of."""
        return self.involved_object or self.regarding or ObjectReference()

    @property
    def text(self) -> str:
        """The message, whichever field holds it."""
        return self.message or self.note

    @property
    def reporter(self) -> str:
        """Who wrote it: reportingComponent, else source.component."""
        source = self.source or self.deprecated_source
        return self.reporting_component or self.reporting_controller or (source.component if source else "")

    @property
    def last_seen(self) -> datetime:
        """series.lastObservedTime, else eventTime, else lastTimestamp, else creation (field-notes: Events)."""
        series = self.series.last_observed_time if self.series else None
        old = self.last_timestamp or self.deprecated_last_timestamp or self.first_timestamp
        return series or self.event_time or old or self.metadata.creation_timestamp or _NEVER

    @property
    def first_seen(self) -> datetime:
        """firstTimestamp, else eventTime, else creation."""
        old = self.first_timestamp or self.deprecated_first_timestamp
        return old or self.event_time or self.metadata.creation_timestamp or self.last_seen

    @property
    def times(self) -> int:
        """How often it was seen."""
        return (self.series.count if self.series else 0) or self.count or self.deprecated_count or 1
