"""What kube-scheduler would say."""
