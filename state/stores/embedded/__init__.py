"""The bundled servers: found or started, shared by processes, stopped by the last one out."""
