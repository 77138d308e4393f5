"""The offline mode: what answers, distils, summarises and judges where no model is configured."""

from graph.models.offline_distiller import OfflineDistiller, OfflineSummariser
from graph.models.offline_responder import OfflineResponder
from graph.models.offline_verifier import OfflineVerifier

__all__ = ["OfflineDistiller", "OfflineResponder", "OfflineSummariser", "OfflineVerifier"]
