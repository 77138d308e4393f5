"""The models behind the ports: over the OpenAI protocol, and their offline counterparts."""
