"""What is measured, and how: figures are ratios from one run, never absolute promises."""
