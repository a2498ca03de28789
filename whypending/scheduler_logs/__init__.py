"""Logs of schedulers as text: klog's lines and its JSON form, times, severities, and what they say of a Pod; pure."""

from __future__ import annotations

from whypending.scheduler_logs.entries import lines_of
from whypending.scheduler_logs.facts import Rejection, rejections, speaks_of, waits_for_lease

__all__ = ["Rejection", "lines_of", "rejections", "speaks_of", "waits_for_lease"]
