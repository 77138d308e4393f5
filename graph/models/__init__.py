"""The models behind the ports: chat, verifier and embeddings over the OpenAI protocol, and their offline counterparts."""
