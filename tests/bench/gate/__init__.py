"""The write-gate bench: what the gate lets through, disputes, holds back and refuses, beside simpler ways."""
