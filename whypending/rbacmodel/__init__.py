"""What RBAC allows whom: rules and bindings judged as the API server does, and what a kube-scheduler needs; pure."""
