"""Collaborators of the nodes, small and in memory; each passes the contract suite of the real one."""
