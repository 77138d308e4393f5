"""`loci`: the command line, a client of the endpoint."""
