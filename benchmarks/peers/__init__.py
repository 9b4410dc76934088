"""Other servers and the libraries below them, each in an environment of its own, beside this one in the same run."""
