"""A Dockerfile's steps carried out in clean roots made by debootstrap: what can be proven without a container engine."""
