"""Which schedulers there are: processes, the names they serve, their Leases, and what proves that they live; pure."""
