"""What schedulers, autoscalers and queues write about a Pod, taken apart: text in, frozen values out.

Pure; it needs msgspec and `patterns` alone. `parse_scheduling_message` takes a whole message (an Event's note,
a condition's message), `cause_of_reason` one reason's text. Which release of which project a wording was read in
stands at the head of each module here and in `causes`.
"""

from __future__ import annotations

from whypending.messages.causes import CAUSES, cause_of_reason
from whypending.messages.causes.taints import cause_of_taint
from whypending.messages.model import Details, Reason, SchedulingMessage
from whypending.messages.scheduler import FAMILIES, NOTE_LIMIT, parse_scheduling_message

__all__ = [
    "CAUSES",
    "FAMILIES",
    "NOTE_LIMIT",
    "Details",
    "Reason",
    "SchedulingMessage",
    "cause_of_reason",
    "cause_of_taint",
    "parse_scheduling_message",
]
