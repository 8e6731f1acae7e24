"""The exceptions of this package, named after the daemon's errors (places-rpc(7), ERRORS)."""
from __future__ import annotations

from typing import Any, Optional


class PlacesError(Exception):
    """Any failure of this package."""


class UnreachableError(PlacesError):
    """No daemon answers."""


class ConnectionLostError(PlacesError):
    """The connection ended before the reply arrived; the daemon may have executed the request."""


class TimeLimitError(PlacesError):
    """The client's own time limit has passed; the request was cancelled in the daemon."""


class ProtocolError(PlacesError):
    """The reply does not conform to the protocol."""


class RefusedError(PlacesError):
    """The daemon answered with an error."""

    #: The error's code, or None for one that this package does not know.
    code: Optional[int] = None
    #: The daemon's name of the error, such as `not_found`.
    name: str = ""

    def __init__(self, message: str, code: int, data: Any = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.data = data if isinstance(data, dict) else {}
        name = self.data.get("name")
        self.name = name if isinstance(name, str) else self.name

    @property
    def retry_after(self) -> Optional[float]:
        """The seconds after which the daemon permits another attempt; None if the error does not contain them."""
        milliseconds = self.data.get("retryAfterMs")
        return milliseconds / 1000 if isinstance(milliseconds, (int, float)) and 0 <= milliseconds <= 1e12 else None

    @property
    def providers(self) -> list[dict[str, Any]]:
        """The outcome of each provider, if the error contains it."""
        reports = self.data.get("providers")
        return [report for report in reports if isinstance(report, dict)] if isinstance(reports, list) else []


class AllProvidersFailedError(RefusedError):
    name = "all_providers_failed"


class DeadlineExceededError(RefusedError):
    name = "deadline_exceeded"


class CancelledError(RefusedError):
    name = "cancelled"


class NotFoundError(RefusedError):
    name = "not_found"


class PermissionDeniedError(RefusedError):
    name = "permission_denied"


class UnsupportedError(RefusedError):
    name = "unsupported"


class QuotaExceededError(RefusedError):
    name = "quota_exceeded"


class OverloadedError(RefusedError):
    name = "overloaded"


class ShuttingDownError(RefusedError):
    name = "shutting_down"


class ParseError(RefusedError):
    name = "parse_error"


class InvalidRequestError(RefusedError):
    name = "invalid_request"


class MethodNotFoundError(RefusedError):
    name = "method_not_found"


class InvalidParamsError(RefusedError):
    name = "invalid_params"


class InternalError(RefusedError):
    name = "internal_error"


BY_CODE: dict[int, type[RefusedError]] = {
    -32001: AllProvidersFailedError, -32002: DeadlineExceededError, -32003: CancelledError, -32004: NotFoundError,
    -32005: PermissionDeniedError, -32006: UnsupportedError, -32007: QuotaExceededError, -32008: OverloadedError,
    -32009: ShuttingDownError, -32700: ParseError, -32600: InvalidRequestError, -32601: MethodNotFoundError, -32602: InvalidParamsError,
    -32603: InternalError,
}


def refusal(error: Any) -> PlacesError:
    """The exception of an error reply."""
    if not isinstance(error, dict) or not isinstance(error.get("code"), int):
        return ProtocolError("an error reply without a code")
    return BY_CODE.get(error["code"], RefusedError)(str(error.get("message", "")), error["code"], error.get("data"))
